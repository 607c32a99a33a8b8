import type { Consumer, StoredEvent } from '@eas/contracts';
import type { DbScope } from './db.ts';

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
         e.data::text AS "dataText", e.facts
  FROM events e WHERE e.tenant_id = $1 AND e.event_id = ANY ($3) AND e.event_id IN (SELECT event_id FROM taken)
  ORDER BY e.event_id`;

/**
 * Takes over what a consumer still owes of these events: deletes its outbox rows and returns the events, oldest first.
 * Run in the transaction of the effect, it makes the effect exactly-once: a doubled or late job finds no row and gets
 * no event. Rows that another transaction is just taking over are passed over: should that one fail, they are sent again.
 */
export async function takeOwedEvents(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  const rows = await db.query<Omit<StoredEvent, 'data'>>(takeSql, [tenantId, consumer, eventIds]);
  return rows.map((row) => ({ ...row, data: JSON.parse(row.dataText) }) as StoredEvent);
}

const postponeSql = `
  UPDATE outbox SET attempts = attempts + 1, last_error = $4, sent_at = NULL,
    available_at = app_now() + least(power(2, attempts), 300) * interval '1 second',
    dead_at = CASE WHEN attempts + 1 >= $5 THEN app_now() END
  WHERE tenant_id = $1 AND consumer = $2 AND event_id = $3
  RETURNING dead_at IS NOT NULL AS "isDead"`;

/** After that many failures an outbox row is dead: kept and visible, not sent again. */
export const maxConsumeAttempts = 10;

/** Notes a failure of a consumer on one event: the next try comes after 1, 2, 4 … 300 s. Tells whether it was the last. */
export async function postponeOwedEvent(
  { db, tenantId }: DbScope,
  consumer: Consumer,
  eventId: string,
  error: string,
): Promise<'postponed' | 'dead'> {
  const rows = await db.query<{ isDead: boolean }>(postponeSql, [
    tenantId,
    consumer,
    eventId,
    error.slice(0, 1_000),
    maxConsumeAttempts,
  ]);
  return rows[0]?.isDead ? 'dead' : 'postponed';
}
