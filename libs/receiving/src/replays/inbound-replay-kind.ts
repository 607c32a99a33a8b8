import type { DueJob, SweptKind } from '@eas/bulk-jobs';
import type { Tx } from '@eas/db';
import { type InboundReplay, receiptFilterOf } from './inbound-replay.ts';
import { moveReceipts } from './inbound-replay.store.ts';

export const inboundReplayKind: SweptKind<InboundReplay> = {
  name: 'replay',
  table: 'inbound_replays',
  idKind: 'replay',
  own: { filter: true, maxPerSecond: true, total: true, replayed: true },
  limits: { lock: 'running inbound replay', perTenant: 1 },
  position: 'after_id',
  progress: 'replayed',
  step,
};

function step(tx: Tx, { filter, maxPerSecond: limit, position: afterId, createdAt, now }: DueJob<InboundReplay>) {
  return moveReceipts(tx, { filter: receiptFilterOf(filter, createdAt), afterId, limit, at: now });
}
