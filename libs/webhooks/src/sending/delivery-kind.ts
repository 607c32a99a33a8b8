import { type Span, tracer } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { isCutOff, type RetryPolicy, type Send, type Sending } from '@eas/outbound';
import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { attemptRow, recordAttempts } from './attempt.store.ts';
import { type DeliveryObserver, latenessOf } from './delivery-observer.ts';
import { disableGone } from './record-health.ts';
import { type SendingKeys, sendSigned } from './send-signed.ts';
import { type DeliveryAttempt, type DeliveryResponse, type DeliveryVerdict, judge } from './verdict.ts';

export type AttemptMaking = { send: Send; retry: RetryPolicy; observer?: DeliveryObserver };

/** An endpoint as one job knows it. `keys` is undefined when they do not open. */
export type Receiver = { endpointId: string; target: Target; keys: SendingKeys | undefined };

/** Claimed deliveries of an endpoint: signed requests, whose results are recorded together with those of other endpoints. */
export const deliveryKind = (
  receiver: Receiver,
  making: AttemptMaking,
): Sending<ClaimedDelivery, DeliveryResponse, DeliveryVerdict> => ({
  request: (ctx, delivery, at) => request(ctx, { delivery, at }, receiver, making),
  judge({ result }, { attempts, triesFrom, isProbe, createdAt }, at) {
    const { lastSuccessAt } = receiver.target;
    const isEndpointDown = lastSuccessAt === null || lastSuccessAt < createdAt;
    return judge(result, { number: attempts + 1 - triesFrom, at, isProbe, isEndpointDown }, making.retry);
  },
  settle: (ctx, attempt) => settle(ctx, attempt, receiver, making.observer),
});

async function request(
  ctx: UseCaseContext,
  { delivery, at }: { delivery: ClaimedDelivery; at: Date },
  { endpointId, target: { url }, keys }: Receiver,
  { send, observer }: AttemptMaking,
): Promise<DeliveryResponse | undefined> {
  const { cause, lateMs } = latenessOf(delivery, at);
  observer?.onStart(cause, lateMs);
  const span = beginAttempt(delivery, endpointId);
  const result = await sendSigned(send, { event: delivery, url, keys, at, signal: ctx.signal });
  if (!isCutOff(result, ctx.signal)) return { result, span };
  endAttempt(span, 'aborted');
  return undefined;
}

async function settle(
  ctx: UseCaseContext,
  attempt: DeliveryAttempt,
  { endpointId, target: { url } }: Receiver,
  observer: DeliveryObserver | undefined,
): Promise<void> {
  const { claimed, response, verdict, endedAt } = attempt;
  // Before the record: if this process dies between the two, the delivery ends at the disabled endpoint.
  if (verdict.isGone) await disableGone(ctx, endpointId);
  const key = { tenantId: ctx.tenantId, eventId: claimed.eventId, endpointId, url };
  const row = attemptRow(key, attempt);
  const isRecorded = await ctx.gather(recordAttempts, row);
  endAttempt(response.span, row.outcome);
  const { outcome, delivery_status: end, duration_ms: durationMs } = row;
  observer?.onAttempt({ tenantId: ctx.tenantId, outcome, end, durationMs });
  if (verdict.state === 'sent') observer?.onDelivered(endedAt.getTime() - claimed.occurredAt.getTime());
  const { number } = row;
  if (!isRecorded) ctx.logger.warn({ ...key, number }, 'attempt not recorded: delivery was sent twice');
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
