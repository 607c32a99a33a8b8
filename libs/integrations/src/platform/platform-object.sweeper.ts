import type { Db } from '@eas/db';

const removeSql = `
  DELETE FROM platform_objects WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM platform_objects WHERE needed_at < app_now() - $1 * interval '1 day' ORDER BY needed_at LIMIT 1000
    FOR UPDATE SKIP LOCKED
  )) RETURNING 1`;

/**
 * Forgets deletions of tasks never known, and news of things that are no task, when no news has needed them for that many
 * days. Gives the number; more may be left when it is 1,000.
 */
export async function sweepOldTombstones(db: Db, days: number): Promise<number> {
  return (await db.query(removeSql, [days])).length;
}
