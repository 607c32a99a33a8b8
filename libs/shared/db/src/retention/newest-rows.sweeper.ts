import type { Db } from '../connection/db.ts';

/** A table of whose rows the newest of each group are kept. An index begins with `at`, and one with the group, `at` and `id`. */
export type KeptNewest = {
  table: string;
  groupBy: readonly string[];
  /** When a row came. */
  at: string;
  id: string;
  newest: number;
};

/** What came in that time is looked at with each sweep, of which there is one a minute. */
const recent = `interval '10 minutes'`;
/** Rows of a group that a sweep deletes; the next one goes on. */
const mostOfGroup = 1_000;

/**
 * Deletes older rows of the groups that have new ones: its cost is that of what came, whatever is there. A group that
 * had none while no sweep ran is swept when it has the next one. Returns how many were deleted.
 */
export function keepNewest({ table, groupBy, at, id, newest }: KeptNewest): (db: Db) => Promise<number> {
  const sameGroup = groupBy.map((column) => `d.${column} = g.${column}`).join(' AND ');
  const sql = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT old.row_id FROM (
        SELECT DISTINCT ${groupBy.join(', ')} FROM ${table} WHERE ${at} > app_now() - ${recent}
      ) AS g CROSS JOIN LATERAL (
        SELECT d.ctid AS row_id FROM ${table} d WHERE ${sameGroup}
        ORDER BY d.${at} DESC, d.${id} DESC OFFSET ${newest} LIMIT ${mostOfGroup}
      ) AS old
    )) RETURNING 1`;
  return async (db) => (await db.query(sql)).length;
}
