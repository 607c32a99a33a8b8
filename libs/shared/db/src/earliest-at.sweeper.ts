import type { Db } from './connection/db.ts';

/** The earliest time that the queries have, each of one column; null: they have no row. */
export async function earliestAt(db: Db, ...queries: readonly string[]): Promise<Date | null> {
  const all = queries.map((query) => `(${query})`).join(' UNION ALL ');
  const [row] = await db.query<{ at: Date | null }>(`SELECT min(due.at) AS at FROM (${all}) AS due (at)`);
  return row?.at ?? null;
}
