import type { EventDetail, Scope } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { getEvent } from '../events/get-event.ts';
import { eventDelivery } from './event-delivery.ts';
import { listEventEndpoints } from './event-delivery.read-model.ts';

/** One event; with the scope to read webhooks also its result at each. Throws not_found, as getEvent does. */
export async function getEventDetail(ctx: UseCaseContext, id: string, scopes: readonly Scope[]): Promise<EventDetail> {
  const event = await getEvent(ctx, id, scopes);
  if (!scopes.includes('webhooks:read')) return event;
  const sent = { type: event.event_type, at: new Date(event.timestamp) };
  const now = ctx.clock.now();
  const endpoints = await listEventEndpoints(ctx, id);
  return { ...event, deliveries: endpoints.map((endpoint) => eventDelivery(endpoint, sent, now)) };
}
