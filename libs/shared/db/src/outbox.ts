import { type EventData, type EventFacts, type EventType, events, routing } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Tx } from './transaction.ts';

/** An event about to be appended. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; at: Date; data: EventData<K>; facts: EventFacts<K>; eventId?: string };
}[T];

/** An event's row, ready for insertion. `consumers` are those that routing names. */
export type EventRow = {
  tenant_id: string;
  event_id: string;
  event_type: string;
  occurred_at: string;
  data: unknown;
  facts: unknown;
  consumers: readonly string[];
};

/** Parses the event against its catalogue entry and gives it an id. A misfit throws: it is a programming error. */
export function eventRow<T extends EventType>(tenantId: string, event: NewEvent<T>): EventRow {
  const definition = events[event.type];
  return {
    tenant_id: tenantId,
    event_id: event.eventId ?? newId('event'),
    event_type: event.type,
    occurred_at: event.at.toISOString(),
    data: definition.data.parse(event.data),
    facts: definition.facts?.parse(event.facts) ?? null,
    consumers: routing[event.type],
  };
}

/**
 * Adds an event to the transaction. It is written with all others of the transaction in one statement just before
 * the commit, with an outbox row for each consumer. Returns the event's id.
 */
export function append<T extends EventType>(tx: Tx, event: NewEvent<T>): string {
  const row = eventRow(tx.tenantId, event);
  tx.pendingEvents.push(row);
  return row.event_id;
}

/**
 * Common table expressions that insert events and what consumers owe, for statements that write events beside other
 * rows. `source` names a relation with the columns of EventRow.
 */
export const insertEventsSql = (source: string) => `
  inserted_events AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data, facts)
    SELECT tenant_id, event_id, event_type, occurred_at, data, facts FROM ${source}
  ), inserted_outbox AS (
    INSERT INTO outbox (tenant_id, event_id, consumer)
    SELECT s.tenant_id, s.event_id, c.consumer FROM ${source} s, unnest(s.consumers) AS c (consumer)
  )`;

/** Column list for json_to_recordset over EventRow objects. */
export const eventColumnsSql =
  'tenant_id text, event_id text, event_type text, occurred_at timestamptz, data json, facts json, consumers text[]';

const flushSql = `WITH source AS (SELECT * FROM json_to_recordset($1::json) AS s (${eventColumnsSql})), ${insertEventsSql('source')} SELECT`;

/** Writes the events that were appended so far. Called by the transaction before its commit. */
export async function flushEvents(tx: Tx): Promise<void> {
  if (tx.pendingEvents.length === 0) return;
  await tx.db.query(flushSql, [JSON.stringify(tx.pendingEvents.splice(0))]);
  tx.notify('outbox', '');
}
