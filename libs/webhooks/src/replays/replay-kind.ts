import type { DueJob, SweptKind } from '@eas/bulk-jobs';
import type { Tx } from '@eas/db';
import { type Replay, selectionOf } from './replay.ts';
import { moveDeliveries } from './replay.store.ts';

/** An endpoint has at most one running replay. It ends when its endpoint is disabled or deleted. */
export const replayKind: SweptKind<Replay> = {
  name: 'replay',
  table: 'replays',
  idKind: 'replay',
  own: { endpointId: true, filter: true, maxPerSecond: true, total: true, replayed: true },
  limits: {
    lock: 'running replays',
    perTenant: 10,
    perSubject: {
      field: 'endpointId',
      message: 'This webhook has a running replay. Cancel it, or wait for it to complete.',
    },
  },
  position: 'after_event_id',
  progress: 'replayed',
  isSubjectGone: `(
    SELECT p.status = 'disabled' OR p.deleted_at IS NOT NULL FROM endpoints p
    WHERE p.tenant_id = j.tenant_id AND p.id = j.endpoint_id)`,
  step,
};

function step(tx: Tx, { id, endpointId, filter, maxPerSecond, position, createdAt }: DueJob<Replay>) {
  const selection = selectionOf(endpointId, filter, createdAt);
  // Bounds are times without the random part of an id: no event is on one.
  return moveDeliveries(tx, { id, selection, afterId: position || selection.fromId, limit: maxPerSecond });
}
