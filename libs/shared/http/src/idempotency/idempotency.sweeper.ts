import type { Db } from '@eas/db';

const sweepSql = `
  DELETE FROM idempotency_records WHERE ctid IN (
    SELECT ctid FROM idempotency_records WHERE created_at < app_now() - interval '24 hours' LIMIT $1)
  RETURNING 1 AS gone`;

/** Deletes all responses older than 24 hours, of all tenants, `batch` in a statement. Returns how many. */
export async function sweepKeptResponses(db: Db, signal?: AbortSignal, batch = 5_000): Promise<number> {
  let deleted = 0;
  for (let inLast = batch; inLast === batch && !signal?.aborted; deleted += inLast)
    inLast = (await db.query(sweepSql, [batch])).length;
  return deleted;
}
