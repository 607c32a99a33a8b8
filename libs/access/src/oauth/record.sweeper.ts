import type { Db } from '@eas/db';

const sweepSql = `
  DELETE FROM oauth_records WHERE (tenant_id, hash) IN (
    SELECT tenant_id, hash FROM oauth_records WHERE expires_at < app_now() ORDER BY hash LIMIT $1)
  RETURNING 1 AS gone`;

/** Deletes what has expired, of all tenants, `batch` in a statement. Returns how many. */
export async function sweepOauthRecords(db: Db, signal?: AbortSignal, batch = 5_000): Promise<number> {
  let deleted = 0;
  for (let inLast = batch; inLast === batch && !signal?.aborted; deleted += inLast)
    inLast = (await db.query(sweepSql, [batch])).length;
  return deleted;
}
