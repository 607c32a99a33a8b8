import { AppError } from '@eas/core';
import { type DbScope, lockName, type Tx } from '@eas/db';
import { type ReceiptFilter, selectReceipts } from '../inbound/receipt.read-model.ts';
import type { InboundReplay } from './inbound-replay.ts';
import { findRunning } from './inbound-replay.read-model.ts';
import { problemOf, receiveAgain } from '../inbound/receive-again.ts';
import { lockReceipts } from '../inbound/receive-again.store.ts';

const insertSql = `
  INSERT INTO inbound_replays (tenant_id, id, filter, max_per_second, total, created_by, created_at, updated_at,
    next_run_at)
  VALUES ($1, $2, $3::json, $4, $5, $6, $7, $7, app_now())`;

/** Adds a running replay that a sweep begins at once. Throws conflict `limit` when the tenant has one. */
export async function insertInboundReplay(tx: Tx, replay: InboundReplay): Promise<void> {
  await lockName(tx, 'running inbound replay');
  const running = await findRunning(tx);
  if (running !== undefined) {
    const message = `The replay ${running} is running. Cancel it, or wait for it to complete.`;
    throw new AppError('conflict', { field: '', constraint: 'limit', message });
  }
  const { id, filter, maxPerSecond, total, createdBy, createdAt } = replay;
  const values = [id, JSON.stringify(filter), maxPerSecond, total, createdBy, createdAt];
  await tx.db.query(insertSql, [tx.tenantId, ...values]);
}

/** Ends a running replay. False: it has ended already, or does not exist. */
export async function endInboundReplay({ db, tenantId }: DbScope, id: string, at: Date): Promise<boolean> {
  const { count } = await db.prisma.inboundReplay.updateMany({
    where: { tenantId, id, status: 'running' },
    data: { status: 'cancelled', nextRunAt: null, updatedAt: at, finishedAt: at },
  });
  return count > 0;
}

/** Receipts that one step looks at, so that it is short whatever it finds. */
const maxScanned = 5_000;

type Looked = { scanned: number; lastScanned: string | null; ids: string[] };

/** How far a replay has come: the id of the last receipt that it is done with. */
export type InboundReplayStep = { id: string; filter: ReceiptFilter; afterId: string; limit: number; at: Date };

/**
 * Sets the next receipts of a replay back, those that can be applied again, and keeps how far it came in the same
 * transaction. Gives their number.
 */
export async function moveInboundReplay(
  tx: Tx,
  { id, filter, afterId, limit, at }: InboundReplayStep,
): Promise<number> {
  const { range, matching } = selectReceipts(tx.tenantId, filter, { above: afterId });
  await tx.db.query('SET LOCAL enable_sort = off');
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
  await tx.db.query('SET LOCAL enable_sort = on');
  const { scanned, lastScanned, ids } = looked as Looked;
  const receipts = (await lockReceipts(tx, ids)).filter((receipt) => problemOf(receipt) === undefined);
  await receiveAgain(tx, receipts, at);
  const isFull = ids.length === limit;
  const isDone = !isFull && scanned < maxScanned;
  const reached = (isFull ? ids.at(-1) : lastScanned) ?? afterId;
  await tx.db.query(progressSql, [tx.tenantId, id, reached, receipts.length, isDone]);
  return receipts.length;
}

const progressSql = `
  UPDATE inbound_replays SET after_id = $3, replayed = replayed + $4, updated_at = app_now(),
    status = CASE WHEN $5 THEN 'completed' ELSE status END, finished_at = CASE WHEN $5 THEN app_now() END,
    next_run_at = CASE WHEN NOT $5 THEN app_now() + interval '1 second' END
  WHERE tenant_id = $1 AND id = $2`;
