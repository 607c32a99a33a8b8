import type { Consumer, StoredEvent } from '@eas/contracts';
import type { DbScope } from './connection/db.ts';

/** No join: one would be planned by the sizes of tables, and the outbox, empty most of the time, has none. */
const takeSql = `
  WITH taken AS (
    DELETE FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY (ARRAY(
      SELECT event_id FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING event_id
  )
  SELECT e.event_id AS "eventId", e.event_type AS "type", e.occurred_at AS "occurredAt",
         e.data::text AS "dataText", e.facts, e.traceparent
  FROM events e, (SELECT set_config('synchronous_commit', 'off', true)) AS unsynced
  WHERE e.tenant_id = $1 AND e.event_id = ANY ($3) AND e.event_id IN (SELECT event_id FROM taken)
  ORDER BY e.event_id`;

/**
 * Takes over what a consumer still owes of these events: deletes its outbox rows and returns the events, oldest first.
 * Run in the transaction of the effect, it makes the effect exactly-once: a doubled or late job finds no row and gets
 * no event. Rows that another transaction is just taking over are skipped: should that one fail, they are sent again.
 *
 * The commit does not wait for the disk. What a crash of Postgres undoes is owed again with its effect undone, and
 * whatever other systems learn of the effect is kept by a later commit that waits, which brings this one to disk.
 */
export async function takeOwedEvents(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  const rows = await db.query<Omit<StoredEvent, 'data'>>(takeSql, [tenantId, consumer, eventIds]);
  return rows.map(withData);
}

/** After this many tries that failed or never ended an outbox row is dead: kept and visible, not sent again. */
export const maxConsumeAttempts = 10;

export type OwedTries = { eventId: string; attempts: number };

const readTriesSql = `
  SELECT attempts, event_id AS "eventId" FROM outbox
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL ORDER BY attempts, event_id`;

/** Those of the events that a consumer still owes, with the tries counted so far: the fewest first. */
export function readOwedTries(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<OwedTries[]> {
  return db.query<OwedTries>(readTriesSql, [tenantId, consumer, eventIds]);
}

const oweAgainSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at)
  SELECT $1, unnest($3::text[]), $2, app_now() + $4 * interval '1 millisecond'`;

/** Gives back events that were taken over in this transaction: the consumer gets them again, no sooner than `afterMs`. */
export async function oweAgain(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  { eventIds, afterMs }: { eventIds: readonly string[]; afterMs: number },
): Promise<void> {
  if (eventIds.length > 0) await db.query(oweAgainSql, [tenantId, consumer, eventIds, afterMs]);
}

const countSql = `
  UPDATE outbox SET attempts = attempts + 1 WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY (ARRAY(
    SELECT event_id FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL
    FOR UPDATE SKIP LOCKED
  ))`;

/** Counts a try before it begins, so that one which ends the process is counted too. Not in its transaction. */
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

/** The next try comes after 1, 2, 4 … 300 s. Returns whether it was the last. `isCounted`: before the try began. */
export async function postponeOwedEvent(
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

/** They are owed again after so long, whatever their number of tries. */
const outageSeconds = 5;

const holdBackSql = `
  UPDATE outbox SET attempts = greatest(attempts - $5, 0), last_error = $4, sent_at = NULL, first_sent_at = NULL,
    available_at = app_now() + interval '${outageSeconds} seconds'
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3) AND dead_at IS NULL`;

/** For a try that the database could not serve: it says nothing about the events, and is not counted. */
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
  const rows = await db.query<Omit<StoredEvent, 'data'>>(findSql, [tenantId, eventId]);
  return rows.map(withData)[0];
}

function withData(row: Omit<StoredEvent, 'data'>): StoredEvent {
  return { ...row, data: JSON.parse(row.dataText) } as StoredEvent;
}
