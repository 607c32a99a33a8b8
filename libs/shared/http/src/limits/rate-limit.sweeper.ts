import type { Db } from '@eas/db';

/** Windows that ended that long ago are over by the clock of every process. */
const restMs = 600_000;

const sweepSql = `
  DELETE FROM rate_windows WHERE ctid IN (SELECT ctid FROM rate_windows WHERE expire < $1 LIMIT $2)
  RETURNING 1 AS gone`;

/** Deletes windows that ended ten minutes ago or before, `batch` in a statement. Returns how many. */
export async function sweepRateWindows(db: Db, signal?: AbortSignal, batch = 5_000): Promise<number> {
  const before = Date.now() - restMs;
  let deleted = 0;
  for (let inLast = batch; inLast === batch && !signal?.aborted; deleted += inLast)
    inLast = (await db.query(sweepSql, [before, batch])).length;
  return deleted;
}
