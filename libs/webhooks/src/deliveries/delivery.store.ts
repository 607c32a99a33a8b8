import { type DbScope, firstRowsSql, markingHeadSql, type Tx, unsyncedSql, valuesOf } from '@eas/db';
import { dueAndFreeSql, unsettledSql } from './delivery-sql.ts';
import type { EventText } from '../events/payload.ts';
import { orderedWaitMs, queuedMs, sendingMs } from './sending-limits.ts';

/** `isHeld`: kept for a paused endpoint. `isOrdered`: after those of earlier events of its task. */
export type NewDelivery = {
  id: string;
  eventId: string;
  endpointId: string;
  isQueued: boolean;
  isHeld: boolean;
  isOrdered: boolean;
};

const insertSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, queued_until, created_at,
    reason, task_id)
  SELECT $1, d.event_id, d.endpoint_id, d.id, CASE WHEN d.is_held THEN 'held' ELSE 'pending' END, 0,
    CASE WHEN NOT d.is_held THEN app_now() END,
    CASE WHEN d.is_queued THEN app_now() + interval '${queuedMs} milliseconds' END, app_now(),
    CASE WHEN d.is_held THEN 'webhook_paused' END,
    CASE WHEN d.is_ordered THEN (
      SELECT e.data ->> 'task_id' FROM events e WHERE e.tenant_id = $1 AND e.event_id = d.event_id) END
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bool[], $6::bool[], $7::bool[])
    AS d (event_id, endpoint_id, id, is_queued, is_held, is_ordered)
  ON CONFLICT DO NOTHING`;

/** Adds deliveries, due at once unless held. `isQueued`: a job follows. A delivery that exists stays as it is. */
export async function insertDeliveries({ db, tenantId }: DbScope, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const fields = ['eventId', 'endpointId', 'id', 'isQueued', 'isHeld', 'isOrdered'] as const;
  await db.query(insertSql, [tenantId, ...valuesOf(deliveries, fields)]);
}

/**
 * A delivery that only this worker sends now. `attempts` were made before, `triesFrom` of them on an older schedule.
 */
export type ClaimedDelivery = EventText & {
  attempts: number;
  triesFrom: number;
  createdAt: Date;
  dueAt: Date;
  /** Why it was last postponed, if it was. */
  reason: string | null;
  isProbe: boolean;
  /** Of the span that caused the event, where that is traced. */
  traceparent: string | null;
  /** Whether the endpoint is ordered by task. */
  taskId: string | null;
};

/** A worker's claim: the time until which it is valid, which also identifies its rows. */
export type Claimed = { claimedUntil: Date; deliveries: ClaimedDelivery[]; left: string[] };

/** For ordered endpoints: the oldest unfinished delivery of the same task. */
const earlierSql = `
  SELECT o.status, o.next_attempt_at FROM deliveries o
  WHERE d.task_id IS NOT NULL AND o.tenant_id = d.tenant_id AND o.endpoint_id = d.endpoint_id AND o.task_id = d.task_id
    AND o.event_id < d.event_id AND o.status IN ('pending', 'held')
  ORDER BY o.event_id LIMIT 1`;

const claimSql = `
  WITH due AS MATERIALIZED (
    SELECT d.event_id, d.attempts, d.tries_from, d.created_at, d.next_attempt_at, d.reason, d.task_id,
      earlier.status AS earlier_status, earlier.next_attempt_at AS earlier_at
    FROM deliveries d LEFT JOIN LATERAL (${earlierSql}) AS earlier ON true
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY ($3) AND ${unsettledSql('d')}
      AND d.next_attempt_at <= app_now() AND (d.sending_until IS NULL OR d.sending_until <= app_now())
    ORDER BY d.event_id FOR NO KEY UPDATE OF d
  ), behind AS (
    UPDATE deliveries d SET queued_until = NULL, reason = 'ordered',
      status = due.earlier_status,
      next_attempt_at = CASE WHEN due.earlier_status = 'pending'
        THEN greatest(due.earlier_at, app_now() + interval '${orderedWaitMs} milliseconds') END
    FROM due WHERE due.earlier_status IS NOT NULL AND d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = due.event_id
      AND d.event_id = ANY (ARRAY(SELECT event_id FROM due WHERE earlier_status IS NOT NULL)) AND ${unsettledSql('d')}
  ), sized AS (
    SELECT d.event_id, d.attempts, d.tries_from, d.created_at, d.next_attempt_at, d.reason, d.task_id,
      e.event_type, e.occurred_at, e.traceparent, e.data::text AS text,
      sum(octet_length(e.data::text)) OVER (ORDER BY d.event_id) - octet_length(e.data::text) < $4 AS fits
    FROM due d JOIN events e ON e.tenant_id = $1 AND e.event_id = d.event_id AND e.event_id = ANY ($3)
    WHERE d.earlier_status IS NULL
  ), claimed AS (
    UPDATE deliveries d SET sending_until = app_now() + interval '${sendingMs} milliseconds'
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND ${unsettledSql('d')}
      AND d.event_id = ANY (ARRAY(SELECT event_id FROM sized WHERE fits))
  )
  SELECT event_id AS "eventId", attempts, tries_from AS "triesFrom", created_at AS "createdAt", task_id AS "taskId",
    next_attempt_at AS "dueAt", reason, reason IS NOT DISTINCT FROM 'probe' AS "isProbe",
    event_type AS "eventType", occurred_at AS "occurredAt", traceparent, CASE WHEN fits THEN text END AS "dataText",
    (app_now() + interval '${sendingMs} milliseconds')::timestamptz(3) AS "claimedUntil"
  FROM sized, (${unsyncedSql}) AS unsynced ORDER BY event_id`;

/**
 * Claims those of an endpoint's deliveries that are pending, due and not being sent, the oldest first, until their
 * payloads come to `maxBytes`. `left` are the events of the others: another job's. Deliveries that are claimed by
 * others or settled are in neither: a duplicate or late job gets none. Deliveries that wait for an earlier event of
 * their task are postponed, or held with it.
 */
export async function claimDeliveries(
  { db, tenantId }: DbScope,
  endpointId: string,
  eventIds: readonly string[],
  maxBytes: number,
): Promise<Claimed> {
  type Row = Omit<ClaimedDelivery, 'dataText'> & { dataText: string | null; claimedUntil: Date };
  const rows = await db.query<Row>(claimSql, [tenantId, endpointId, eventIds, maxBytes]);
  const isClaimed = (row: Row): row is ClaimedDelivery & Row => row.dataText !== null;
  return {
    claimedUntil: rows[0]?.claimedUntil ?? new Date(0),
    deliveries: rows.filter(isClaimed),
    left: rows.filter((row) => !isClaimed(row)).map(({ eventId }) => eventId),
  };
}

/**
 * Claimed deliveries of an endpoint. A worker that outlived its claim changes nothing, since the rows belong to another
 * worker by then.
 */
export type ClaimedRows = { endpointId: string; eventIds: readonly string[]; claimedUntil: Date };

/** Ends the claim of deliveries without an attempt. `change`: SQL of what else changes, with its `values` from $5 on. */
async function endClaim(
  { db, tenantId }: DbScope,
  { endpointId, eventIds, claimedUntil }: ClaimedRows,
  change = '',
  values: readonly unknown[] = [],
): Promise<void> {
  const sql = `
    UPDATE deliveries d SET sending_until = NULL, queued_until = NULL${change}
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY ($3) AND ${unsettledSql('d')} AND d.sending_until = $4`;
  await db.query(sql, [tenantId, endpointId, eventIds, claimedUntil, ...values]);
}

/** Releases claimed deliveries unsent: the next sweep finds them. */
export const releaseDeliveries = (scope: DbScope, rows: ClaimedRows): Promise<void> => endClaim(scope, rows);

const postponedSql = `, reason = 'throttled',
  next_attempt_at = $5::timestamptz + (array_position($3::text[], d.event_id) - 1) * $6::float8 * interval '1 millisecond'`;

/** Postpones claimed deliveries to a time, each `gapMs` after the previous one, in the given order. */
export const postponeDeliveries = (
  scope: DbScope,
  rows: ClaimedRows,
  { from, gapMs }: { from: Date; gapMs: number },
): Promise<void> => endClaim(scope, rows, postponedSql, [from, gapMs]);

/** Holds claimed deliveries until their paused endpoint recovers. */
export const holdDeliveries = (scope: DbScope, rows: ClaimedRows): Promise<void> =>
  endClaim(scope, rows, `, status = 'held', next_attempt_at = NULL, reason = 'webhook_paused'`);

/** Ends claimed deliveries of a disabled or deleted endpoint as dead, without an attempt; they stay visible. */
export const deadLetterUnsent = (scope: DbScope, rows: ClaimedRows, reason: string): Promise<void> =>
  endClaim(scope, rows, `, status = 'dead', next_attempt_at = NULL, settled_at = app_now(), reason = $5`, [reason]);

const queueNextSql = `
  WITH next AS MATERIALIZED (
    SELECT n.event_id FROM unnest($3::text[]) AS t (task_id)
    ${firstRowsSql('n', {
      select: 'o.event_id, o.status, o.reason',
      from: 'deliveries o',
      where: `o.tenant_id = $1 AND o.endpoint_id = $2 AND o.task_id = t.task_id AND o.status IN ('pending', 'held')`,
      orderBy: 'o.event_id',
    })}
    WHERE n.status = 'pending' AND n.reason = 'ordered'
  )
  UPDATE deliveries d SET next_attempt_at = app_now(), queued_until = app_now() + interval '${queuedMs} milliseconds'
  WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY (ARRAY(SELECT event_id FROM next))
    AND ${unsettledSql('d')} AND d.sending_until IS NULL
  RETURNING d.event_id AS "eventId"`;

/** Per task the delivery that waited for earlier ones, if any: a job for them must follow. */
export async function queueNextOfTasks(
  { db, tenantId }: DbScope,
  endpointId: string,
  taskIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(queueNextSql, [tenantId, endpointId, taskIds]);
  return rows.map(({ eventId }) => eventId).sort();
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

/** Marks the oldest due deliveries of an endpoint as queued and returns their events: a job for them must follow. */
export async function queueBacklog({ db, tenantId }: Tx, endpointId: string, limit: number): Promise<string[]> {
  // Pipelined.
  const [, rows] = await Promise.all([
    db.query(markingHeadSql),
    db.query<{ eventId: string }>(queueBacklogSql, [tenantId, endpointId, limit]),
  ]);
  return rows.map(({ eventId }) => eventId).sort();
}
