import { maxInboundReplayTotal } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { type ReceiptFilter, selectReceipts } from '../receipts/receipt.read-model.ts';

/** The number of receipts that match, up to the most that is counted. */
export async function countReceipts({ db, tenantId }: Tx, filter: ReceiptFilter): Promise<number> {
  const { range, matching } = selectReceipts(tenantId, filter, {});
  const [row] = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (
      SELECT FROM inbound_events WHERE ${range.sql} AND ${matching.sql} LIMIT ${maxInboundReplayTotal}
    ) AS matching`,
    matching.values,
    { isPrepared: false },
  );
  return row?.total ?? 0;
}
