import type { ReplayFilter } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { selectionOf } from './replay.ts';
import { endReplay, moveReplay } from './replay.store.ts';

type DueReplay = {
  tenantId: string;
  id: string;
  endpointId: string;
  filter: ReplayFilter;
  maxPerSecond: number;
  afterEventId: string;
  createdAt: Date;
  now: Date;
  isOpen: boolean;
};

const dueSql = `
  SELECT r.tenant_id AS "tenantId", r.id, r.endpoint_id AS "endpointId", r.filter, r.max_per_second AS "maxPerSecond",
    r.after_event_id AS "afterEventId", r.created_at AS "createdAt", app_now() AS now,
    p.status <> 'disabled' AND p.deleted_at IS NULL AS "isOpen"
  FROM replays r JOIN endpoints p ON p.tenant_id = r.tenant_id AND p.id = r.endpoint_id
  WHERE r.next_run_at <= app_now()
  ORDER BY r.next_run_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`;

/**
 * Advances the longest waiting replay by the deliveries of one second, or ends it when its endpoint is disabled or
 * deleted. Returns the number of deliveries that became due; undefined when no replay is due. It locks the replay until
 * the transaction ends, so that its work and position commit together.
 */
export async function sweepReplay(tx: Tx): Promise<number | undefined> {
  const [replay] = await tx.db.query<DueReplay>(dueSql);
  if (!replay) return undefined;
  const { tenantId, id, endpointId, filter, maxPerSecond, afterEventId, createdAt, now, isOpen } = replay;
  const own = { ...tx, tenantId };
  if (!isOpen) {
    await endReplay(own, id, now);
    return 0;
  }
  const selection = selectionOf(endpointId, filter, createdAt);
  // Bounds are times without the random part of an id: no event is on one.
  return moveReplay(own, { id, selection, afterId: afterEventId || selection.fromId, limit: maxPerSecond });
}
