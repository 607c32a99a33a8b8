import { consumers, type EventType, jobOf, numbering } from '@eas/contracts';
import { eventRow, type NewEvent } from './event-row.ts';
import { sendWrite, type Tx } from './tx.ts';

/** Maximum number of events that one outbox row has numbered: the relay takes a bounded number of rows together. */
const maxNumberedByRow = 20;

/**
 * Written with all others just before the commit, with an outbox row for each consumer, and one that has the public ones
 * numbered. Returns the event's id.
 */
export function append<T extends EventType>(tx: Tx, event: NewEvent<T>): string {
  const row = eventRow(tx.tenantId, event);
  tx.pendingEvents.push(row);
  return row.event_id;
}

const gathered = consumers.flatMap((consumer) => {
  const { gatheredMs } = jobOf(consumer);
  return gatheredMs === undefined ? [] : [{ consumer, interval: `interval '${gatheredMs} milliseconds'` }];
});

/** Now, or at the end of the interval whose events are batched. */
export const availableAtSql = (consumer: string) => {
  const cases = gathered.map(
    (one) => `WHEN '${one.consumer}' THEN date_bin(${one.interval}, app_now(), 'epoch') + ${one.interval}`,
  );
  return `CASE ${consumer} ${cases.join(' ')} ELSE app_now() END`;
};

/** CTEs that insert events and their outbox rows. `source` names a relation with the columns of EventRow. */
export const insertEventsSql = (source: string) => `
  inserted_events AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data, facts, traceparent)
    SELECT tenant_id, event_id, event_type, occurred_at, data, facts, traceparent FROM ${source}
  ), inserted_outbox AS (
    INSERT INTO outbox (tenant_id, event_id, consumer, available_at, traceparent)
    SELECT s.tenant_id, s.event_id, c.consumer, ${availableAtSql('c.consumer')}, s.traceparent
    FROM ${source} s, unnest(array_remove(s.consumers, '${numbering}')) AS c (consumer)
  ), inserted_to_number AS (
    INSERT INTO outbox (tenant_id, event_id, consumer, event_ids, traceparent)
    SELECT tenant_id, min(event_id), '${numbering}', array_agg(event_id ORDER BY event_id), min(traceparent) FROM (
      SELECT tenant_id, event_id, traceparent, (row_number() OVER (PARTITION BY tenant_id ORDER BY event_id) - 1) / ${maxNumberedByRow} AS part
      FROM ${source} WHERE '${numbering}' = ANY (consumers)
    ) AS public GROUP BY tenant_id, part
  )`;

export const eventColumnsSql =
  'tenant_id text, event_id text, event_type text, occurred_at timestamptz, data json, facts json, consumers text[], traceparent text';

const flushSql = `WITH source AS (SELECT * FROM json_to_recordset($1::json) AS s (${eventColumnsSql})), ${insertEventsSql('source')} SELECT`;

/** Writes the events that were appended so far. Called by the transaction before its commit. */
export function flushEvents(tx: Tx): void {
  if (tx.pendingEvents.length === 0) return;
  sendWrite(tx, flushSql, [JSON.stringify(tx.pendingEvents.splice(0))]);
  tx.notify('outbox', '');
}
