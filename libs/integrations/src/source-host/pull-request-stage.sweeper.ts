import type { Db } from '@eas/db';

const removeSql = `
  DELETE FROM pull_request_stages WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM pull_request_stages WHERE at < app_now() - $1 * interval '1 day' ORDER BY at LIMIT 1000
  )) RETURNING 1`;

/**
 * Forgets what happened to pull requests more than that many days ago. Until then a stage is not published twice. Gives the
 * number; more may be left when it is 1,000.
 */
export async function sweepOldStages(db: Db, days: number): Promise<number> {
  return (await db.query(removeSql, [days])).length;
}
