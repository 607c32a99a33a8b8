import { type Send, type StoredEvent, subscriptionsOf } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { LeftBehind } from './left-behind.ts';
import { insertDeliveries, type NewDelivery } from './delivery.store.ts';
import { maxInHand, maxQueuedAtOnce } from './sending-limits.ts';
import { sendJobs } from './send-jobs.ts';
import { listSubscribers, type Subscriber } from './subscriber.read-model.ts';

/**
 * Batch size: the event loop is yielded between batches, and no more rows are in memory, however many endpoints there
 * are.
 */
const writtenTogether = 2_500;

type FannedEvent = Pick<StoredEvent, 'eventId' | 'type'> & { data?: Readonly<Record<string, unknown>> };

/** Creates deliveries, and jobs up to an endpoint's limit in the queue. These jobs and the sweep handle the rest. */
export async function fanOut(
  ctx: UseCaseContext,
  events: readonly FannedEvent[],
  leftBehind?: LeftBehind,
): Promise<{ then: Send[] }> {
  const types = [...new Set(events.map(({ type }) => type))];
  const subscribers = await listSubscribers(ctx, [...new Set(types.flatMap(subscriptionsOf))]);
  const queued: NewDelivery[] = [];
  let unwritten: NewDelivery[] = [];
  for (const [index, subscriber] of subscribers.entries()) {
    unwritten.push(...deliveriesFor(subscriber, events));
    if (unwritten.length < writtenTogether && index < subscribers.length - 1) continue;
    await insertDeliveries(ctx, unwritten);
    for (const delivery of unwritten) {
      if (delivery.isQueued) queued.push(delivery);
      else if (!delivery.isHeld) leftBehind?.set(delivery.endpointId, true);
    }
    unwritten = [];
  }
  return { then: sendJobs(queued.map((delivery) => ({ ...delivery, tenantId: ctx.tenantId }))) };
}

function deliveriesFor(subscriber: Subscriber, events: readonly FannedEvent[]) {
  const { endpointId, events: subscriptions, inHand, isPaused, isOrdered } = subscriber;
  const capacity = inHand < maxInHand && !isPaused ? maxQueuedAtOnce : 0;
  const isSubscribed = (type: string) => subscriptionsOf(type).some((name) => subscriptions.includes(name));
  const wanted = events.filter((event) => isSubscribed(event.type) && !isAbout(event, endpointId));
  return wanted.map(({ eventId }, index): NewDelivery => ({
    id: newId('delivery'),
    eventId,
    endpointId,
    isQueued: index < capacity,
    isHeld: isPaused,
    isOrdered,
  }));
}

/** An endpoint gets no event about itself: one that fails would have one more to fail at. */
const isAbout = ({ type, data }: FannedEvent, endpointId: string): boolean =>
  type.startsWith('webhook.') && data?.['webhook_id'] === endpointId;
