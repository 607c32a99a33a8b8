import { type Db, inBatches, isLockedRowSql } from '@eas/db';

/** Bodies may be large: few of them are one statement. */
const batchRows = 200;

const removeSql = `
  UPDATE inbound_events SET body = NULL
  WHERE status <> 'received' AND ${isLockedRowSql({
    table: 'inbound_events',
    where: `settled_at < app_now() - $1 * interval '1 day' AND body IS NOT NULL`,
    orderBy: 'settled_at',
    limit: '$2',
    lock: 'no key',
  })}
  RETURNING 1`;

/**
 * Removes the bodies of receipts that were settled more than this many days ago, the oldest first, and gives their
 * number. The receipts stay, with what became of them. The signal ends it between two statements.
 */
export function sweepInboundBodies(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const removeSome = async (limit: number) => (await db.query(removeSql, [days, limit])).length;
  return inBatches(removeSome, { limit: batchRows, signal });
}
