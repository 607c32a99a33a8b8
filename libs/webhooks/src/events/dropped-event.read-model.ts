import { isId } from '@eas/core';
import type { DbScope } from '@eas/db';

const droppedSql = `
  SELECT coalesce(k.number, 0)::float8 AS number
  FROM (SELECT
    (SELECT number FROM event_numbers WHERE tenant_id = $1 AND event_id = $2) AS number,
    (SELECT event_id FROM event_numbers WHERE tenant_id = $1 ORDER BY number LIMIT 1) AS oldest_id) AS k
  WHERE NOT EXISTS (SELECT FROM events WHERE tenant_id = $1 AND event_id = $2)
    AND EXISTS (SELECT FROM event_counters WHERE tenant_id = $1)
    AND (k.number IS NOT NULL OR $2 < coalesce(k.oldest_id, 'evt_' || ulid_prefix(app_now())))`;

/**
 * The number of an event that is no longer stored; 0 when its number is gone too, so that the oldest stored event
 * follows it. Undefined for a stored event, and for an id that no event had.
 */
export async function numberOfDropped({ db, tenantId }: DbScope, eventId: string): Promise<number | undefined> {
  if (!isId('event', eventId)) return undefined;
  const [dropped] = await db.query<{ number: number }>(droppedSql, [tenantId, eventId]);
  return dropped?.number;
}
