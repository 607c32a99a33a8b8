import { type Db, inBatches } from '@eas/db';

/** Bodies may be large: few of them are one statement. */
const batchRows = 200;

const removeSql = `
  WITH old AS MATERIALIZED (
    SELECT ctid AS place FROM inbound_events
    WHERE settled_at < app_now() - $1 * interval '1 day' AND body IS NOT NULL
    ORDER BY settled_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), removed AS (
    UPDATE inbound_events i SET body = NULL
    WHERE i.ctid = ANY (ARRAY(SELECT place FROM old)) AND i.status <> 'received' RETURNING i.id
  )
  SELECT count(*)::int AS removed FROM removed`;

/**
 * Removes the bodies of receipts that were settled more than this many days ago, the oldest first, and gives their
 * number. The receipts stay, with what became of them. The signal ends it between two statements.
 */
export function sweepInboundBodies(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const removeSome = async (limit: number) =>
    (await db.query<{ removed: number }>(removeSql, [days, limit]))[0]?.removed ?? 0;
  return inBatches(removeSome, { limit: batchRows, signal });
}
