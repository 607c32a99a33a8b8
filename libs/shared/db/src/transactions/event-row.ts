import {
  consumersOf,
  type EventData,
  type EventFacts,
  type EventType,
  events,
  type OutboxConsumer,
} from '@eas/contracts';
import { currentTraceparent, newId } from '@eas/core';

export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; at: Date; data: EventData<K>; facts: EventFacts<K>; eventId?: string };
}[T];

/** An event's row, ready for insertion. `consumers` come from the routing. */
export type EventRow = {
  tenant_id: string;
  event_id: string;
  event_type: string;
  occurred_at: string;
  data: unknown;
  facts: unknown;
  consumers: readonly OutboxConsumer[];
  /** Traceparent of the span that caused it. */
  traceparent: string | undefined;
};

/** Parses the event against its catalogue entry and assigns an id. Throws if it does not match: a programming error. */
export function eventRow<T extends EventType>(tenantId: string, event: NewEvent<T>): EventRow {
  const definition = events[event.type];
  return {
    tenant_id: tenantId,
    event_id: event.eventId ?? newId('event'),
    event_type: event.type,
    occurred_at: event.at.toISOString(),
    data: definition.data.parse(event.data),
    facts: definition.facts?.parse(event.facts) ?? null,
    consumers: consumersOf(event.type, event.data, event.facts),
    traceparent: currentTraceparent(),
  };
}
