import type { Db } from './connection/db.ts';

/** With more rows than this something is taken to be due: to look for the earliest would read all of them. */
const fewRows = 200;

/** The earliest time of a query whose rows no index has in the order of their times, for `earliestAt`. */
export const earliestOfFewSql = (query: string): string => `
  SELECT CASE WHEN count(*) > ${fewRows} THEN app_now() ELSE min(few.at) END AS at FROM (${query} LIMIT ${fewRows + 1}) AS few (at)`;

/** The earliest time that the queries have, each of one column; null: they have no row. */
export async function earliestAt(db: Db, ...queries: readonly string[]): Promise<Date | null> {
  const all = queries.map((query) => `(${query})`).join(' UNION ALL ');
  const [row] = await db.query<{ at: Date | null }>(`SELECT min(due.at) AS at FROM (${all}) AS due (at)`);
  return row?.at ?? null;
}
