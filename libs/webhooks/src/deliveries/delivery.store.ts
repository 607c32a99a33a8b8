import type { DbScope } from '@eas/db';
import { dueAndFreeSql } from './delivery-sql.ts';
import type { EventText } from './payload.ts';
import { queuedMs, sendingMs } from './sending-limits.ts';

export type NewDelivery = { id: string; eventId: string; endpointId: string; isQueued: boolean };

/** Rows of one INSERT. */
const insertChunk = 5_000;

const insertSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, queued_until, created_at)
  SELECT $1, d.event_id, d.endpoint_id, d.id, 'pending', 0, app_now(),
    CASE WHEN d.is_queued THEN app_now() + interval '${queuedMs} milliseconds' END, app_now()
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bool[]) AS d (event_id, endpoint_id, id, is_queued)
  ON CONFLICT DO NOTHING`;

/** Adds deliveries, due at once. `isQueued`: a job follows. A delivery that exists stays as it is. */
export async function insertDeliveries({ db, tenantId }: DbScope, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let start = 0; start < deliveries.length; start += insertChunk) {
    const rows = deliveries.slice(start, start + insertChunk);
    await db.query(insertSql, [
      tenantId,
      rows.map(({ eventId }) => eventId),
      rows.map(({ endpointId }) => endpointId),
      rows.map(({ id }) => id),
      rows.map(({ isQueued }) => isQueued),
    ]);
  }
}

/** A delivery that this worker alone sends now. `attempts` were made before. */
export type ClaimedDelivery = EventText & { attempts: number };

const claimSql = `
  WITH due AS (
    SELECT event_id FROM deliveries
    WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3) AND status = 'pending'
      AND next_attempt_at <= app_now() AND (sending_until IS NULL OR sending_until <= app_now())
    ORDER BY event_id FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries d SET sending_until = app_now() + interval '${sendingMs} milliseconds' FROM due
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = due.event_id AND d.event_id = ANY ($3)
    RETURNING d.event_id, d.attempts
  )
  SELECT c.event_id AS "eventId", c.attempts, e.event_type AS "eventType", e.occurred_at AS "occurredAt",
    e.data::text AS "dataText"
  FROM claimed c JOIN events e ON e.tenant_id = $1 AND e.event_id = c.event_id AND e.event_id = ANY ($3)
  ORDER BY c.event_id`;

/**
 * Claims those of an endpoint's deliveries that are pending, due and not being sent. The others are somebody else's
 * or settled: a doubled or late job gets none.
 */
export function claimDeliveries(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<ClaimedDelivery[]> {
  return db.query<ClaimedDelivery>(claimSql, [tenantId, endpointId, eventIds]);
}

const releaseSql = `
  UPDATE deliveries SET sending_until = NULL, queued_until = NULL
  WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3) AND status = 'pending'`;

/** Gives claimed deliveries back unsent: the next sweep finds them. Only their claimer may call it. */
export async function releaseDeliveries(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(releaseSql, [tenantId, endpointId, eventIds]);
}

const buryUnsentSql = `
  UPDATE deliveries SET status = 'dead', next_attempt_at = NULL, queued_until = NULL, sending_until = NULL,
    settled_at = app_now()
  WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3) AND status = 'pending'`;

/** Ends claimed deliveries of an endpoint that takes none any more: kept and visible, without an attempt. */
export async function buryUnsent(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(buryUnsentSql, [tenantId, endpointId, eventIds]);
}

const queueBacklogSql = `
  WITH due AS (
    SELECT d.event_id FROM deliveries d WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND ${dueAndFreeSql('d')}
    ORDER BY d.next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ), queued AS (
    UPDATE deliveries d SET queued_until = app_now() + interval '${queuedMs} milliseconds' FROM due
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = due.event_id
    RETURNING d.event_id
  )
  SELECT event_id AS "eventId" FROM queued ORDER BY event_id`;

/** Marks the oldest due deliveries of an endpoint as queued and gives their events: a job for them must follow. */
export async function queueBacklog({ db, tenantId }: DbScope, endpointId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(queueBacklogSql, [tenantId, endpointId, limit]);
  return rows.map(({ eventId }) => eventId);
}
