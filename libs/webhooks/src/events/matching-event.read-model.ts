import { type DbScope, rowByKeySql } from '@eas/db';
import type { NumberedEvent } from './event-number.read-model.ts';

/** Which events are wanted, and how many at most: rows and bytes of payloads. */
export type EventsWanted = { types: readonly string[]; limit: number };
/** `position`: the number up to which everything was returned. `isMore`: later numbers were not read. */
export type MatchingEvents = { events: NumberedEvent[]; position: number; isMore: boolean };

/** Maximum number of events to read in one call, whatever matches. */
const maxScanned = 1_000;
/** What begins below that is given whole. */
const maxBytes = 1_048_576;

// Each event is looked up by its number, in the one month that its id names. Payloads are read of those that fit.
const matchingSql = `
  WITH numbers AS MATERIALIZED (
    SELECT number, event_id FROM event_numbers WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT ${maxScanned}
  ), matching AS MATERIALIZED (
    SELECT n.number, e.event_id, e.event_type, e.occurred_at, e.data FROM numbers n
    ${rowByKeySql('e', { from: 'events', where: 'tenant_id = $1 AND event_id = n.event_id' })}
    WHERE e.event_type = ANY ($3) ORDER BY n.number LIMIT $4 + 1
  ), sized AS MATERIALIZED (
    SELECT m.*, row_number() OVER by_number <= $4
      AND sum(octet_length(m.data::text)) OVER by_number - octet_length(m.data::text) < ${maxBytes} AS fits
    FROM matching m WINDOW by_number AS (ORDER BY m.number)
  )
  SELECT s.to::float8 AS "scannedTo", s.count::int AS scanned, (SELECT bool_or(NOT fits) FROM sized) AS "isCut",
    m.number::float8 AS number, m.event_id AS "eventId", m.event_type AS "eventType", m.occurred_at AS "occurredAt",
    m.data::text AS "dataText"
  FROM (SELECT max(number) AS to, count(*) AS count FROM numbers) AS s LEFT JOIN sized m ON m.fits
  ORDER BY m.number`;

type Scanned = { scannedTo: number | null; scanned: number; isCut: boolean | null };
type Row = Scanned & (NumberedEvent | { number: null });

/** The next events of these types after a number, in order. */
export async function matchingEventsAfter(
  { db, tenantId }: DbScope,
  after: number,
  { types, limit }: EventsWanted,
): Promise<MatchingEvents> {
  const rows = await db.query<Row>(matchingSql, [tenantId, after, types, limit]);
  const events = rows.filter((row): row is Scanned & NumberedEvent => row.number !== null);
  const { scannedTo = null, scanned = 0, isCut = false } = rows[0] ?? {};
  const position = isCut ? events.at(-1)?.number : scannedTo;
  return { events, position: position ?? after, isMore: isCut === true || scanned === maxScanned };
}

const numberSql = 'SELECT number::float8 AS number FROM event_numbers WHERE tenant_id = $1 AND event_id = $2';

export async function numberOfEvent({ db, tenantId }: DbScope, eventId: string): Promise<number | undefined> {
  const [row] = await db.query<{ number: number }>(numberSql, [tenantId, eventId]);
  return row?.number;
}
