import type { Consumer, StoredEvent } from '@eas/contracts';
import type { DbScope } from './connection/db.ts';

/** No join: it would be planned by the size of the outbox, which is empty most of the time. */
const takenSql = `
  WITH taken AS (
    DELETE FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY (ARRAY(
      SELECT event_id FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING event_id
  )`;
const unsyncedSql = `(SELECT set_config('synchronous_commit', 'off', true)) AS unsynced`;
const takeSql = `${takenSql}
  SELECT e.event_id AS "eventId", e.event_type AS "type", e.occurred_at AS "occurredAt",
         e.data::text AS "dataText", e.facts, e.traceparent
  FROM events e, ${unsyncedSql}
  WHERE e.tenant_id = $1 AND e.event_id = ANY ($3) AND e.event_id IN (SELECT event_id FROM taken)
  ORDER BY e.event_id`;

/**
 * Takes the events that are still pending for a consumer: deletes its outbox rows and returns the events, oldest first.
 * In the transaction of the effect this makes the effect exactly-once: a duplicate or late job finds no row and gets no
 * event. Rows that another transaction is taking are skipped: if it fails, they are resent.
 *
 * The commit does not wait for the disk. If a crash of Postgres undoes it, the effect is undone too and the events are
 * pending again. Before other systems learn of the effect, a later commit that waits has brought this one to disk.
 */
export async function takePendingEvents(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  const rows = await db.query<StoredRow>(takeSql, [tenantId, consumer, eventIds]);
  return rows.map(storedEvent);
}

const takeIdsSql = `${takenSql} SELECT event_id AS "eventId" FROM taken, ${unsyncedSql} ORDER BY event_id`;

/** Takes events as `takePendingEvents` does, and returns their ids alone. */
export async function takePendingIds(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(takeIdsSql, [tenantId, consumer, eventIds]);
  return rows.map(({ eventId }) => eventId);
}

/** After this number of tries that failed or never ended an outbox row is dead: stored and visible, but not resent. */
export const maxConsumeAttempts = 10;

export type PendingTries = { eventId: string; attempts: number };

const readTriesSql = `
  SELECT attempts, event_id AS "eventId" FROM outbox
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL ORDER BY attempts, event_id`;

/** The events that are still pending for a consumer, with the tries counted so far, the fewest first. */
export function readPendingTries(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<PendingTries[]> {
  return db.query<PendingTries>(readTriesSql, [tenantId, consumer, eventIds]);
}

const requeueSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at)
  SELECT $1, unnest($3::text[]), $2, app_now() + $4 * interval '1 millisecond' ON CONFLICT DO NOTHING`;

/** Makes events pending for a consumer, once more or at all: it gets them after `afterMs` or later. */
export async function requeueEvents(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  { eventIds, afterMs }: { eventIds: readonly string[]; afterMs: number },
): Promise<void> {
  if (eventIds.length > 0) await db.query(requeueSql, [tenantId, consumer, eventIds, afterMs]);
}

const countSql = `
  UPDATE outbox SET attempts = attempts + 1 WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY (ARRAY(
    SELECT event_id FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL
    FOR UPDATE SKIP LOCKED
  ))`;

/** Counts a try before it begins, so that a try that ends the process is counted too. Not in its transaction. */
export async function countTries(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(countSql, [tenantId, consumer, eventIds]);
}

const postponeSql = `
  UPDATE outbox SET attempts = attempts + $6, last_error = $4, sent_at = NULL, first_sent_at = NULL,
    available_at = app_now() + least(power(2, attempts + $6 - 1), 300) * interval '1 second',
    dead_at = CASE WHEN attempts + $6 >= $5 THEN app_now() END
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = $3
  RETURNING dead_at IS NOT NULL AS "isDead"`;

/**
 * The next try is after 1, 2, 4 … 300 s. Returns whether this was the last one. `isCounted`: the try was counted before
 * it began.
 */
export async function postponePendingEvent(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventId: string,
  { error, isCounted = false }: { error: string; isCounted?: boolean },
): Promise<'postponed' | 'dead'> {
  const rows = await db.query<{ isDead: boolean }>(postponeSql, [
    tenantId,
    consumer,
    eventId,
    error.slice(0, 1_000),
    maxConsumeAttempts,
    isCounted ? 0 : 1,
  ]);
  return rows[0]?.isDead ? 'dead' : 'postponed';
}

/** Events are due again after this time, whatever their number of tries. */
const outageSeconds = 5;

const holdBackSql = `
  UPDATE outbox SET attempts = greatest(attempts - $5, 0), last_error = $4, sent_at = NULL, first_sent_at = NULL,
    available_at = app_now() + interval '${outageSeconds} seconds'
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL`;

/** For a try that the database could not serve: the events are not the cause, so it is not counted. */
export async function holdBackEvents(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
  { error, isCounted }: { error: string; isCounted: boolean },
): Promise<void> {
  await db.query(holdBackSql, [tenantId, consumer, eventIds, error.slice(0, 1_000), isCounted ? 1 : 0]);
}

const sizesSql = `
  SELECT event_id AS "eventId", octet_length(data::text) AS bytes FROM events WHERE tenant_id = $1 AND event_id = ANY ($2)`;

/** How much a consumer has to read for each of the events, in bytes. */
export type EventSizes = ReadonlyMap<string, number>;

export async function readEventSizes({ db, tenantId }: DbScope, eventIds: readonly string[]): Promise<EventSizes> {
  const rows = await db.query<{ eventId: string; bytes: number }>(sizesSql, [tenantId, eventIds]);
  return new Map(rows.map(({ eventId, bytes }) => [eventId, bytes]));
}

const findSql = `
  SELECT event_id AS "eventId", event_type AS "type", occurred_at AS "occurredAt", data::text AS "dataText", facts
  FROM events WHERE tenant_id = $1 AND event_id = $2`;

export async function findStoredEvent({ db, tenantId }: DbScope, eventId: string): Promise<StoredEvent | undefined> {
  const rows = await db.query<StoredRow>(findSql, [tenantId, eventId]);
  return rows.map(storedEvent)[0];
}

/** An event as it is read, with its data as text. */
export type StoredRow = Omit<StoredEvent, 'data'>;

export function storedEvent(row: StoredRow): StoredEvent {
  return { ...row, data: JSON.parse(row.dataText) } as StoredEvent;
}
