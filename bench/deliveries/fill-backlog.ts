import { defaultTenantId } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Db } from '@eas/db';

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, id, 'task.created', now(), json_build_object('task_id', 'tsk_bench', 'title', repeat('a', $3))
  FROM unnest($2::text[]) AS id`;
const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, next_attempt_at, created_at)
  SELECT $1, event_id, endpoint_id, 'dlv_' || substr(event_id, 5) || right(endpoint_id, 6), $4,
    CASE WHEN $4 = 'pending' THEN now() + interval '1 hour' END, now()
  FROM unnest($2::text[]) AS event_id, unnest($3::text[]) AS endpoint_id`;

/** Adds events and for each a delivery to each of the endpoints, due in an hour unless settled. Gives how many deliveries. */
export async function fillBacklog(
  db: Db,
  endpointIds: readonly string[],
  { events, bytes, status = 'pending' }: { events: number; bytes: number; status?: 'pending' | 'delivered' | 'dead' },
): Promise<number> {
  for (let from = 0; from < events; from += 10_000) {
    const ids = Array.from({ length: Math.min(10_000, events - from) }, () => newId('event'));
    await db.query(eventsSql, [defaultTenantId, ids, bytes]);
    await db.query(deliveriesSql, [defaultTenantId, ids, endpointIds, status]);
  }
  return events * endpointIds.length;
}
