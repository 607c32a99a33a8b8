import { type DeliveryDetail, type Scope, subscribableEventTypes, typesToRead } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { userAgent } from '@eas/outbound';
import { maskedUrl } from '../endpoints/masked-url.ts';
import { eventResource } from '../events/event-resource.ts';
import { findEvent } from '../events/event.read-model.ts';
import { attemptResource } from './attempt-resource.ts';
import { readAttempts } from './attempt.read-model.ts';
import { deliveryResource } from './delivery.ts';
import { findDelivery } from './delivery.read-model.ts';
import { findReceiver } from './receiver.read-model.ts';

/**
 * One delivery with its attempts and what is sent. An event that the scopes do not let read has no body, and no
 * responses either: a receiver may repeat what it got. Throws not_found.
 */
export async function getDelivery(ctx: UseCaseContext, id: string, scopes: readonly Scope[]): Promise<DeliveryDetail> {
  const delivery = await findDelivery(ctx, id);
  if (!delivery) throw new AppError('not_found', { message: 'The delivery does not exist.' });
  const { endpointId, eventId } = delivery;
  const types = typesToRead(scopes);
  const [attempts, event, receiver] = await Promise.all([
    readAttempts(ctx, delivery),
    findEvent(ctx, eventId, types),
    findReceiver(ctx, endpointId),
  ]);
  const isHidden = !event && types.length < subscribableEventTypes.length;
  const history = attempts.rows.map(attemptResource);
  const lastAt = history.at(-1)?.started_at;
  return {
    ...deliveryResource(delivery),
    history: isHidden ? history.map((attempt) => ({ ...attempt, response: null, response_headers: null })) : history,
    history_truncated: attempts.isCut,
    request: {
      url: maskedUrl(receiver?.url ?? ''),
      headers: requestHeaders(eventId, lastAt === undefined ? undefined : new Date(lastAt)),
      custom_headers: receiver?.headerNames ?? [],
      body: event ? eventResource(event) : null,
    },
  };
}

/** The request of each attempt without the signatures. */
const requestHeaders = (eventId: string, sentAt: Date | undefined): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': userAgent,
  'webhook-id': eventId,
  ...(sentAt ? { 'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)) } : {}),
});
