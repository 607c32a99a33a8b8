import { type Span, tracer } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { isCutOff, type RetryPolicy, type Send } from '@eas/outbound';
import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { attemptRow, recordAttempts } from './attempt.store.ts';
import { type DeliveryObserver, latenessOf } from './delivery-observer.ts';
import { disableGone } from './record-health.ts';
import { type SendingKeys, sendSigned } from './send-signed.ts';
import { type Attempt, judge } from './verdict.ts';

export type AttemptMaking = { send: Send; retry: RetryPolicy; observer?: DeliveryObserver };

/** An endpoint as one job knows it. `keys` is undefined when they do not open. */
export type Receiver = { endpointId: string; target: Target; keys: SendingKeys | undefined };

/** Sends a claimed delivery once and records the result. Undefined: it was cancelled and is not counted. */
export async function makeAttempt(
  ctx: UseCaseContext,
  delivery: ClaimedDelivery,
  { endpointId, target, keys }: Receiver,
  { send, retry, observer }: AttemptMaking,
): Promise<Attempt | undefined> {
  const startedAt = ctx.clock.now();
  const { cause, lateMs } = latenessOf(delivery, startedAt);
  observer?.onStart(cause, lateMs);
  const { url } = target;
  const span = beginAttempt(delivery, endpointId);
  const result = await sendSigned(send, { event: delivery, url, keys, at: startedAt, signal: ctx.signal });
  if (isCutOff(result, ctx.signal)) {
    endAttempt(span, 'aborted');
    return undefined;
  }
  const number = delivery.attempts + 1;
  const endedAt = ctx.clock.now();
  const { isProbe } = delivery;
  const isEndpointDown = target.lastSuccessAt === null || target.lastSuccessAt < delivery.createdAt;
  const judged = { number: number - delivery.triesFrom, at: endedAt, isProbe, isEndpointDown };
  const attempt = { number, startedAt, result, verdict: judge(result, judged, retry) };
  const { verdict } = attempt;
  // Before the record: if this process dies between the two, the delivery ends at the disabled endpoint.
  if (verdict.kind === 'dead' && verdict.disablesEndpoint) await disableGone(ctx, endpointId);
  const key = { tenantId: ctx.tenantId, eventId: delivery.eventId, endpointId, url };
  const row = attemptRow(key, attempt);
  const isRecorded = await ctx.gather(recordAttempts, row);
  endAttempt(span, row.outcome);
  observer?.onAttempt({ outcome: row.outcome, end: row.delivery_status, durationMs: result.durationMs });
  if (verdict.kind === 'delivered') observer?.onDelivered(endedAt.getTime() - delivery.occurredAt.getTime());
  if (!isRecorded) ctx.logger.warn({ ...key, number }, 'attempt not recorded: delivery was sent twice');
  return attempt;
}

/** Begins the span of an attempt in the trace of its event. Undefined: that is not traced. */
function beginAttempt({ traceparent, eventId, attempts }: ClaimedDelivery, endpointId: string): Span | undefined {
  if (!traceparent) return undefined;
  const attributes = { 'eas.event_id': eventId, 'eas.webhook_id': endpointId, 'eas.attempt': attempts + 1 };
  return tracer()?.start('deliver', { kind: 'client', parent: traceparent, attributes });
}

function endAttempt(span: Span | undefined, outcome: string): void {
  if (!span) return;
  span.set({ 'eas.outcome': outcome });
  span.end(outcome === 'delivered' ? undefined : new Error(outcome));
}
