import type { Db } from '@eas/db';
import { idleHours } from './session.ts';

const sessionsSql = `
  DELETE FROM sessions WHERE ctid IN (
    SELECT ctid FROM sessions
    WHERE expires_at < app_now() OR last_seen_at < app_now() - interval '${idleHours} hours' LIMIT $1)
  RETURNING 1 AS gone`;
const linksSql = `
  DELETE FROM access_links WHERE ctid IN (SELECT ctid FROM access_links WHERE expires_at < app_now() LIMIT $1)
  RETURNING 1 AS gone`;

/** Deletes sessions that ended and links that expired, of all tenants, `batch` in a statement. Returns how many. */
export async function sweepSignIns(db: Db, signal?: AbortSignal, batch = 5_000): Promise<number> {
  let deleted = 0;
  for (const sql of [sessionsSql, linksSql])
    for (let inLast = batch; inLast === batch && !signal?.aborted; deleted += inLast)
      inLast = (await db.query(sql, [batch])).length;
  return deleted;
}
