import { type EventDelivery, subscriptionsOf } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { EventEndpoint } from './event-delivery.read-model.ts';

type Verdict = { state: EventDelivery['state']; reason: string | null };
type SentEvent = { type: string; at: Date };

/** The result of an event at an endpoint, and its reason. */
export function eventDelivery(endpoint: EventEndpoint, event: SentEvent, now: Date): EventDelivery {
  const { status, attempts, nextAttemptAt } = endpoint;
  return {
    webhook_id: endpoint.endpointId,
    delivery_id: endpoint.deliveryId,
    ...(status === null ? withoutDelivery(endpoint, event) : withDelivery({ ...endpoint, status }, now)),
    attempts: attempts ?? 0,
    last_status: endpoint.lastStatus,
    next_attempt_at: nextAttemptAt && formatTimestamp(nextAttemptAt),
  };
}

function withDelivery(endpoint: EventEndpoint & { status: string }, now: Date): Verdict {
  const { status, reason, lastOutcome } = endpoint;
  if (status === 'delivered') return { state: 'delivered', reason };
  if (status === 'dead') return { state: 'dead', reason: reason ?? lastOutcome ?? closedReason(endpoint) };
  const closed = closedReason(endpoint);
  if (closed !== null) return { state: 'disabled', reason: closed };
  if (status === 'held') return { state: 'paused', reason: reason ?? endpoint.statusReason ?? 'webhook_paused' };
  return pendingVerdict(endpoint, now);
}

function pendingVerdict(endpoint: EventEndpoint, now: Date): Verdict {
  const { reason, lastOutcome, nextSendAt, nextAttemptAt } = endpoint;
  const isDue = nextAttemptAt !== null && nextAttemptAt <= now;
  const hasFailed = (endpoint.attempts ?? 0) > (endpoint.triesFrom ?? 0);
  if (hasFailed && !isDue) return { state: 'retrying', reason: reason ?? lastOutcome };
  if (nextSendAt !== null && nextSendAt > now) return { state: 'throttled', reason: reason ?? 'max_per_second' };
  return { state: hasFailed ? 'retrying' : 'pending', reason: reason ?? (hasFailed ? lastOutcome : null) };
}

function withoutDelivery(endpoint: EventEndpoint, { type, at }: SentEvent): Verdict {
  const { subscriptions, createdAt, isFanOutPending } = endpoint;
  if (createdAt > at && !isFanOutPending) return { state: 'created_later', reason: null };
  if (!subscriptionsOf(type).some((name) => subscriptions.includes(name)))
    return { state: 'filtered', reason: 'subscription' };
  const closed = closedReason(endpoint);
  if (closed !== null) return { state: 'disabled', reason: closed };
  return isFanOutPending ? { state: 'pending', reason: 'fan_out' } : { state: 'missing', reason: 'no_delivery' };
}

/** Why the endpoint takes nothing any more; null when it does. */
function closedReason({ isDeleted, endpointStatus, statusReason }: EventEndpoint): string | null {
  if (isDeleted) return 'webhook_deleted';
  return endpointStatus === 'disabled' ? (statusReason ?? 'webhook_disabled') : null;
}
