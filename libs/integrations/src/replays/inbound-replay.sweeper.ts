import type { InboundReplayFilter } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { receiptFilterOf } from './inbound-replay.ts';
import { moveInboundReplay } from './inbound-replay.store.ts';

type DueReplay = {
  tenantId: string;
  id: string;
  filter: InboundReplayFilter;
  maxPerSecond: number;
  afterId: string;
  createdAt: Date;
  now: Date;
};

const dueSql = `
  SELECT tenant_id AS "tenantId", id, filter, max_per_second AS "maxPerSecond", after_id AS "afterId",
    created_at AS "createdAt", app_now() AS now
  FROM inbound_replays WHERE next_run_at <= app_now() ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Moves the replay that waits longest on by the receipts of one second. Gives the number of receipts that were set back;
 * undefined when no replay is due. What it did and how far it came commit together.
 */
export async function sweepInboundReplay(tx: Tx): Promise<number | undefined> {
  const [replay] = await tx.db.query<DueReplay>(dueSql);
  if (!replay) return undefined;
  const { tenantId, id, filter, maxPerSecond: limit, afterId, createdAt, now } = replay;
  const step = { id, filter: receiptFilterOf(filter, createdAt), afterId, limit, at: now };
  return moveInboundReplay({ ...tx, tenantId }, step);
}
