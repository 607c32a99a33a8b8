import type { Db } from '../connection/db.ts';
import { firstRowsSql } from '../plans/rows-of-each.ts';

/**
 * A table that keeps only the newest rows of each group. Needs an index of its sampled rows that begins with `at`, and
 * one of all rows with the group, `at` and `id`. `id` ends with a ULID.
 */
export type KeptNewest = {
  table: string;
  groupBy: readonly string[];
  /** Column with the time of a row. */
  at: string;
  id: string;
  newest: number;
};

/** Each sweep, one a minute, checks the rows of this period. */
const recent = `interval '10 minutes'`;
/** Maximum number of rows of a group that a sweep deletes; the next one continues. */
const mostOfGroup = 1_000;

/** One row in eight, by chance: an index on all of them would be written with each row. */
const isSampled = (id: string) => `right(${id}, 1) < '4'`;

/**
 * Deletes older rows of the groups that have new sampled ones, so the cost depends on the new rows only. A group that
 * was missed is swept when it gets its next one. Returns the number of deleted rows.
 */
export function keepNewest({ table, groupBy, at, id, newest }: KeptNewest): (db: Db) => Promise<number> {
  const sameGroup = groupBy.map((column) => `d.${column} = g.${column}`).join(' AND ');
  const sql = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT old.row_id FROM (
        SELECT DISTINCT ${groupBy.join(', ')} FROM ${table} WHERE ${at} > app_now() - ${recent} AND ${isSampled(id)}
      ) AS g
      ${firstRowsSql('old', {
        select: 'd.ctid AS row_id',
        from: `${table} d`,
        where: sameGroup,
        orderBy: `d.${at} DESC, d.${id} DESC`,
        skip: newest,
        limit: mostOfGroup,
      })}
    )) RETURNING 1`;
  return async (db) => (await db.query(sql)).length;
}
