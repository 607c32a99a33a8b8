import { type Consumer, type EventType, numbering, type StoredEvent } from '@eas/contracts';
import { storedEvent, type StoredRow } from './consume.ts';
import type { DbScope } from './connection/db.ts';
import { rowByKeySql } from './plans/rows-of-each.ts';
import type { Tx } from './transactions/tx.ts';

const ofConsumer = 'FROM event_cursors WHERE tenant_id = $1 AND consumer = $2';
const lockSql = `SELECT number::float8 AS number ${ofConsumer} FOR UPDATE SKIP LOCKED`;
const isThereSql = `SELECT ${ofConsumer}`;

/**
 * Locks the number up to which a consumer has read the public events of the tenant. Undefined: another transaction has
 * locked it. Throws without a cursor: the relay makes it when it gives the first number.
 */
export async function lockEventCursor({ db, tenantId }: Tx, consumer: Consumer): Promise<number | undefined> {
  const [cursor] = await db.query<{ number: number }>(lockSql, [tenantId, consumer]);
  if (cursor) return cursor.number;
  if ((await db.query(isThereSql, [tenantId, consumer])).length > 0) return undefined;
  throw new Error(`${consumer} has no row in event_cursors for tenant ${tenantId}`);
}

const moveSql = 'UPDATE event_cursors SET number = $3 WHERE tenant_id = $1 AND consumer = $2';

/** In the transaction of the effect: what has been read is not read again. */
export async function moveEventCursor({ db, tenantId }: Tx, consumer: Consumer, number: number): Promise<void> {
  await db.query(moveSql, [tenantId, consumer, number]);
}

/** Maximum number of events that are read together, and of bytes of their data: parsing blocks the process. */
const maxEvents = 1_000;
const maxBytes = 1024 * 1024;

// Each event is looked up by its number, in the one month that its id names. The sum grows by one row at a time; a frame
// with EXCLUDE would be added up again for each row.
const afterSql = `
  SELECT * FROM (
    SELECT n.number::float8 AS number, n.event_id AS "eventId", e.*, count(*) OVER ()::int AS found,
      sum(coalesce(octet_length(e."dataText"), 0)) OVER (ORDER BY n.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS "bytesBefore"
    FROM (SELECT number, event_id FROM event_numbers WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT ${maxEvents}) AS n
    ${rowByKeySql('e', {
      select: `event_type AS type, occurred_at AS "occurredAt", data::text AS "dataText", facts, traceparent`,
      from: 'events',
      where: 'tenant_id = $1 AND event_id = n.event_id AND event_type = ANY ($3)',
      outer: true,
    })}
  ) AS numbered WHERE coalesce("bytesBefore", 0) < ${maxBytes} ORDER BY number`;

type NumberedRow = Omit<StoredRow, 'dataText'> & { number: number; found: number; dataText: string | null };

/** Events after a number. `to`: the number up to which was read; `isMore`: there are perhaps others. */
export type EventsAfter = { events: StoredEvent[]; to: number; isMore: boolean };

/** The events of these types that follow a number, in order. Those that are no longer stored are left out. */
export async function readEventsAfter(
  { db, tenantId }: DbScope,
  number: number,
  types: readonly EventType[],
): Promise<EventsAfter> {
  const rows = await db.query<NumberedRow>(afterSql, [tenantId, number, types]);
  const found = rows[0]?.found ?? 0;
  return {
    events: rows.flatMap(({ eventId, type, occurredAt, dataText, facts, traceparent }) =>
      dataText === null ? [] : [storedEvent({ eventId, type, occurredAt, dataText, facts, traceparent })],
    ),
    to: rows.at(-1)?.number ?? number,
    isMore: found === maxEvents || rows.length < found,
  };
}

/**
 * SQL: whether a consumer that follows the numbers of events has handled all that is committed for the tenant `$1`, as the
 * statement sees it: nothing is pending for any consumer, and it has read up to the newest number. Needs `inIndexOrderSql`.
 */
export const caughtUpSql = (consumer: Consumer): string => `(
  (SELECT event_id FROM outbox WHERE tenant_id = $1 AND dead_at IS NULL ORDER BY event_id LIMIT 1) IS NULL
  AND coalesce((SELECT last_number FROM event_counters WHERE tenant_id = $1), 0)
    <= coalesce((SELECT number FROM event_cursors WHERE tenant_id = $1 AND consumer = '${consumer}'), 0))`;

/** Numbers are given nearly in the order of ids: the highest before an id is among the last of them. */
const nearRows = 100;

/**
 * SQL: the highest number of the public events of the tenant `$1` whose ids are before `eventId`, an expression. Numbers that
 * are removed belong to the oldest events. With any ids in ascending order, each number is between two of these.
 */
export const lastNumberBeforeSql = (eventId: string): string => `coalesce(
  (SELECT CASE WHEN EXISTS (SELECT FROM event_numbers WHERE tenant_id = $1 AND event_id >= ${eventId}) THEN coalesce(
    (SELECT max(number) FROM (SELECT number FROM event_numbers WHERE tenant_id = $1 AND event_id < ${eventId}
      ORDER BY event_id DESC LIMIT ${nearRows}) AS before),
    (SELECT min(number) - 1 FROM (SELECT number FROM event_numbers WHERE tenant_id = $1 AND event_id >= ${eventId}
      ORDER BY event_id LIMIT ${nearRows}) AS following)
  ) ELSE last_number END FROM event_counters WHERE tenant_id = $1), 0)`;

/** SQL: whether these consumers have handled all events of the tenant `$1` before an id, except those that they gave up on. */
export const handledBeforeSql = (eventId: string, handling: readonly Consumer[]): string => `(
  (SELECT event_id FROM outbox WHERE tenant_id = $1 AND event_id < ${eventId} AND dead_at IS NULL
    AND consumer IN ('${[numbering, ...handling].join("', '")}') ORDER BY event_id LIMIT 1) IS NULL
  AND NOT EXISTS (SELECT FROM event_cursors WHERE tenant_id = $1 AND consumer IN ('${handling.join("', '")}')
    AND number < ${lastNumberBeforeSql(eventId)}))`;
