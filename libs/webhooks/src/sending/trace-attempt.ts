import { type Span, tracer } from '@eas/core';
import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';

/** Begins the span of an attempt in the trace of its event. Undefined: that is not traced. */
export function beginAttempt(
  { traceparent, eventId, attempts }: ClaimedDelivery,
  endpointId: string,
): Span | undefined {
  if (!traceparent) return undefined;
  const attributes = { 'eas.event_id': eventId, 'eas.webhook_id': endpointId, 'eas.attempt': attempts + 1 };
  return tracer()?.start('deliver', { kind: 'client', parent: traceparent, attributes });
}

export function endAttempt(span: Span | undefined, outcome: string): void {
  if (!span) return;
  span.set({ 'eas.outcome': outcome });
  span.end(outcome === 'delivered' ? undefined : new Error(outcome));
}
