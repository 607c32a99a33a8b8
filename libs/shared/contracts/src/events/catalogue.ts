import { z } from 'zod';
import { agentEvents } from './agent.events.ts';
import { budgetEvents } from './budget.events.ts';
import { integrationEvents } from './integration.events.ts';
import { taskEvents } from './task.events.ts';
import { tenantEvents } from './tenant.events.ts';
import { tenantUsageEvents } from './tenant-usage.events.ts';
import { webhookEvents } from './webhook.events.ts';
import { workflowEvents } from './workflow.events.ts';

export const events = {
  ...taskEvents,
  ...agentEvents,
  ...budgetEvents,
  ...integrationEvents,
  ...workflowEvents,
  ...webhookEvents,
  ...tenantEvents,
  ...tenantUsageEvents,
};
export type Events = typeof events;
export type EventType = keyof Events;
export type EventData<T extends EventType> = z.infer<Events[T]['data']>;
export type EventFacts<T extends EventType> = Events[T]['facts'] extends z.ZodType ? z.infer<Events[T]['facts']> : null;

export type PublicEventType = { [T in EventType]: Events[T]['visibility'] extends 'public' ? T : never }[EventType];
const isPublic = (type: EventType): type is PublicEventType => events[type].visibility === 'public';

/** Event types that are sent to endpoints. */
export const publicEventTypes: readonly PublicEventType[] = (Object.keys(events) as EventType[]).filter(isPublic);

/** Event types that endpoints may subscribe to. */
export const subscribableEventTypes = publicEventTypes;

/** Data of a type as in the contract. */
export const exampleDataOf = (type: PublicEventType): Record<string, unknown> =>
  z.globalRegistry.get(events[type].data)?.['example'] as Record<string, unknown>;

/** An event as stored and as consumers get it. `dataText` is the JSON text that deliveries send unchanged. */
export type StoredEvent<T extends EventType = EventType> = {
  [K in T]: {
    eventId: string;
    type: K;
    occurredAt: Date;
    data: EventData<K>;
    facts: EventFacts<K>;
    dataText: string;
    /** Traceparent of the span that caused it, if that is traced. */
    traceparent?: string | null;
  };
}[T];
