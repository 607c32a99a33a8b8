import type { JobStep } from '@eas/bulk-jobs';
import { inAnyOrderSql, inIndexOrderSql, type Tx } from '@eas/db';
import { type ReceiptFilter, selectReceipts } from '../receipts/receipt.read-model.ts';
import { problemOf, receiveAgain } from '../receipts/receive-again.ts';
import { lockReceipts } from '../receipts/receive-again.store.ts';

/** Receipts that one step looks at, so that it is short whatever it finds. */
const maxScanned = 5_000;

type Looked = { scanned: number; lastScanned: string | null; ids: string[] };

/** `afterId`: the last receipt that the replay is done with. */
export type InboundReplayStep = { filter: ReceiptFilter; afterId: string; limit: number; at: Date };

/** Sets the next receipts of a replay back, those that can be applied again. */
export async function moveReceipts(tx: Tx, { filter, afterId, limit, at }: InboundReplayStep): Promise<JobStep> {
  const { range, matching } = selectReceipts(tx.tenantId, filter, { above: afterId });
  await tx.db.query(inIndexOrderSql);
  const [looked] = await tx.db.query<Looked>(
    `WITH scanned AS MATERIALIZED (
      SELECT id, source, integration_ref, event, external_id, received_at, status FROM inbound_events
      WHERE ${range.sql} ORDER BY id LIMIT ${maxScanned}
    )
    SELECT (SELECT count(*) FROM scanned)::int AS scanned, (SELECT max(id) FROM scanned) AS "lastScanned",
      ARRAY(SELECT id FROM scanned WHERE ${matching.sql} ORDER BY id LIMIT ${limit}) AS ids`,
    matching.values,
    { isPrepared: false },
  );
  // What was found is locked by its keys, not looked for in the order of an index.
  await tx.db.query(inAnyOrderSql);
  const { scanned, lastScanned, ids } = looked as Looked;
  const receipts = (await lockReceipts(tx, ids)).filter((receipt) => problemOf(receipt) === undefined);
  await receiveAgain(tx, receipts, at);
  const isFull = ids.length === limit;
  const position = (isFull ? ids.at(-1) : lastScanned) ?? afterId;
  return { moved: receipts.length, position, isDone: !isFull && scanned < maxScanned };
}
