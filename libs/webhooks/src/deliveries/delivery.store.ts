import type { DbScope, Tx } from '@eas/db';
import { dueAndFreeSql, headsInOrderSql, unsettledSql } from './delivery-sql.ts';
import type { EventText } from '../events/payload.ts';
import { queuedMs, sendingMs } from './sending-limits.ts';

export type NewDelivery = { id: string; eventId: string; endpointId: string; isQueued: boolean };

const insertSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, queued_until, created_at)
  SELECT $1, d.event_id, d.endpoint_id, d.id, 'pending', 0, app_now(),
    CASE WHEN d.is_queued THEN app_now() + interval '${queuedMs} milliseconds' END, app_now()
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bool[]) AS d (event_id, endpoint_id, id, is_queued)
  ON CONFLICT DO NOTHING`;

/** Adds deliveries, due at once. `isQueued`: a job follows. A delivery that exists stays as it is. */
export async function insertDeliveries({ db, tenantId }: DbScope, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query(insertSql, [
    tenantId,
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ endpointId }) => endpointId),
    deliveries.map(({ id }) => id),
    deliveries.map(({ isQueued }) => isQueued),
  ]);
}

/** A delivery that this worker alone sends now. `attempts` were made before. */
export type ClaimedDelivery = EventText & { attempts: number };

const claimSql = `
  WITH due AS (
    SELECT d.event_id, d.attempts FROM deliveries d
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY ($3) AND ${unsettledSql('d')}
      AND d.next_attempt_at <= app_now() AND (d.sending_until IS NULL OR d.sending_until <= app_now())
    ORDER BY d.event_id FOR NO KEY UPDATE SKIP LOCKED
  ), sized AS (
    SELECT d.event_id, d.attempts, e.event_type, e.occurred_at, e.data::text AS text,
      sum(octet_length(e.data::text)) OVER (ORDER BY d.event_id) - octet_length(e.data::text) < $4 AS fits
    FROM due d JOIN events e ON e.tenant_id = $1 AND e.event_id = d.event_id AND e.event_id = ANY ($3)
  ), claimed AS (
    UPDATE deliveries d SET sending_until = app_now() + interval '${sendingMs} milliseconds'
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND ${unsettledSql('d')}
      AND d.event_id = ANY (ARRAY(SELECT event_id FROM sized WHERE fits))
  )
  SELECT event_id AS "eventId", attempts, event_type AS "eventType", occurred_at AS "occurredAt",
    CASE WHEN fits THEN text END AS "dataText"
  FROM sized ORDER BY event_id`;

/**
 * Claims those of an endpoint's deliveries that are pending, due and not being sent, the oldest first, until their
 * payloads come to `maxBytes`. `left` are the events of the others: another job's. What is somebody else's or settled
 * is neither: a doubled or late job gets none.
 */
export async function claimDeliveries(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
  maxBytes: number,
): Promise<{ claimed: ClaimedDelivery[]; left: string[] }> {
  type Row = Omit<ClaimedDelivery, 'dataText'> & { dataText: string | null };
  const rows = await db.query<Row>(claimSql, [tenantId, endpointId, eventIds, maxBytes]);
  const isClaimed = (row: Row): row is ClaimedDelivery => row.dataText !== null;
  return {
    claimed: rows.filter(isClaimed),
    left: rows.filter((row) => !isClaimed(row)).map(({ eventId }) => eventId),
  };
}

const releaseSql = `
  UPDATE deliveries d SET sending_until = NULL, queued_until = NULL
  WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3) AND ${unsettledSql('d')}`;

/** Gives claimed deliveries back unsent: the next sweep finds them. Only their claimer may call it. */
export async function releaseDeliveries(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(releaseSql, [tenantId, endpointId, eventIds]);
}

const buryUnsentSql = `
  UPDATE deliveries d SET status = 'dead', next_attempt_at = NULL, queued_until = NULL, sending_until = NULL,
    settled_at = app_now()
  WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3) AND ${unsettledSql('d')}`;

/** Ends claimed deliveries of an endpoint that takes none any more: kept and visible, without an attempt. */
export async function buryUnsent(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(buryUnsentSql, [tenantId, endpointId, eventIds]);
}

const queueBacklogSql = `
  WITH due AS MATERIALIZED (
    SELECT d.event_id FROM deliveries d WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND ${dueAndFreeSql('d')}
    ORDER BY d.next_attempt_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE deliveries d SET queued_until = app_now() + interval '${queuedMs} milliseconds'
  WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY (ARRAY(SELECT event_id FROM due))
    AND ${unsettledSql('d')}
  RETURNING d.event_id AS "eventId"`;

/** Marks the oldest due deliveries of an endpoint as queued and gives their events: a job for them must follow. */
export async function queueBacklog({ db, tenantId }: Tx, endpointId: string, limit: number): Promise<string[]> {
  await db.query(headsInOrderSql);
  const rows = await db.query<{ eventId: string }>(queueBacklogSql, [tenantId, endpointId, limit]);
  return rows.map(({ eventId }) => eventId).sort();
}
