import type { DeliveryResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

/** A delivery as it is read; `eventType` is null when retention has removed the event. */
export type Delivery = {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  eventType: string | null;
  /** One of those of DeliveryResource: the database has a constraint. */
  status: string;
  reason: string | null;
  attempts: number;
  /** Null before the first one, and when retention has removed it. */
  lastAttempt: { status: number | null; outcome: string } | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  settledAt: Date | null;
};

const timeOrNull = (at: Date | null) => at && formatTimestamp(at);

export function deliveryResource(delivery: Delivery): DeliveryResource {
  return {
    id: delivery.deliveryId,
    webhook_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status as DeliveryResource['status'],
    reason: delivery.reason,
    attempts: delivery.attempts,
    last_status: delivery.lastAttempt?.status ?? null,
    last_outcome: delivery.lastAttempt?.outcome ?? null,
    next_attempt_at: timeOrNull(delivery.nextAttemptAt),
    created_at: formatTimestamp(delivery.createdAt),
    settled_at: timeOrNull(delivery.settledAt),
  };
}
