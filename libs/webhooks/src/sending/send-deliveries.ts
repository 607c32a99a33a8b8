import { type JobPayload, maxDeliveriesPerJob, type Send } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { type BatchSlots, enterBatch, sendClaimed } from '@eas/outbound';
import {
  deadLetterUnsent,
  claimDeliveries,
  type ClaimedDelivery,
  type ClaimedRows,
  holdDeliveries,
  postponeDeliveries,
  queueBacklog,
  queueNextOfTasks,
  releaseDeliveries,
} from '../deliveries/delivery.store.ts';
import type { LeftBehind } from '../deliveries/left-behind.ts';
import { sendJobs } from '../deliveries/send-jobs.ts';
import { maxConcurrentPosts, maxPayloadBytes, startingMs } from '../deliveries/sending-limits.ts';
import { findTarget, type Target } from '../endpoints/endpoint.read-model.ts';
import { reserveSends } from '../endpoints/health.store.ts';
import type { DeliveryObserver, PutOffReason } from './delivery-observer.ts';
import { type AttemptMaking, deliveryKind } from './delivery-kind.ts';
import { recordHealth } from './record-health.ts';
import { openKeys } from './send-signed.ts';
import type { DeliveryAttempt } from './verdict.ts';

export type DeliverySending = AttemptMaking & {
  /** What the jobs of this process share. */
  slots?: SendingSlots;
};

export type SendingSlots = BatchSlots & { leftBehind: LeftBehind };

type SendJob = JobPayload<'delivery.send'>;

/**
 * Sends those of the job's deliveries that are still due, several at a time, and records each attempt with the new
 * state. Deliveries that cannot be started in time are released; those beyond the size of a job are left to another.
 */
export async function sendDeliveries(
  ctx: UseCaseContext,
  job: SendJob,
  sending: DeliverySending,
): Promise<{ then: Send[] }> {
  const { slots } = sending;
  if (!slots) return (await sendInSlot(ctx, job, sending)).result;
  // The rows of a postponed job are still marked as queued: when that mark expires a sweep finds them.
  const putOff = (reason: PutOffReason) => {
    sending.observer?.onPutOff(job.event_ids.length, reason);
    return { then: [] };
  };
  const { tenant_id: tenantId, endpoint_id: destination, is_again: isAgain } = job;
  const entered = await enterBatch(slots, { tenantId, destination, isAgain, signal: ctx.signal });
  if (entered.putOff) return putOff(entered.putOff === 'slow' ? 'endpoint_slow' : 'tenant_share');
  let attempts: readonly DeliveryAttempt[] = [];
  try {
    const sent = await sendInSlot(ctx, job, sending);
    attempts = sent.attempts;
    return sent.result;
  } finally {
    entered.leave(attempts.map(({ response }) => response.result));
  }
}

type Sent = { result: { then: Send[] }; attempts: readonly DeliveryAttempt[] };

async function sendInSlot(
  ctx: UseCaseContext,
  { endpoint_id: endpointId, event_ids: eventIds, is_again: isAgain = false }: SendJob,
  sending: DeliverySending,
): Promise<Sent> {
  const startedMs = ctx.clock.monotonicMs();
  let attempts: readonly DeliveryAttempt[] = [];
  const jobsOf = (ids: readonly string[]): Sent => {
    const keys = ids.map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId, isAgain }));
    return { result: { then: sendJobs(keys) }, attempts };
  };
  const [{ claimedUntil, deliveries, left }, target] = await Promise.all([
    claimDeliveries(ctx, endpointId, eventIds, maxPayloadBytes),
    findTarget(ctx, endpointId),
  ]);
  const rowsOf = (some: readonly ClaimedDelivery[]): ClaimedRows => ({
    endpointId,
    eventIds: some.map(({ eventId }) => eventId),
    claimedUntil,
  });
  if (deliveries.length === 0) return jobsOf([]);
  if (!target || target.status === 'disabled' || target.status === 'deleted') {
    await deadLetterUnsent(ctx, rowsOf(deliveries), `webhook_${target?.status ?? 'deleted'}`);
    return jobsOf([]);
  }
  const admitted = await admit(ctx, deliveries, { target, rowsOf, endpointId, observer: sending.observer });
  const receiver = { endpointId, target, keys: openKeys(ctx, endpointId, target) };
  const mayStart = () => !ctx.signal.aborted && ctx.clock.monotonicMs() - startedMs < startingMs;
  const order = { atATime: maxConcurrentPosts, mayStart };
  const sent = await sendClaimed(ctx, deliveryKind(receiver, sending), admitted, order);
  ({ attempts } = sent);
  logFailed(ctx, endpointId, attempts);
  if (sent.unsent.length > 0) await releaseDeliveries(ctx, rowsOf(sent.unsent));
  await recordHealth(ctx, receiver, attempts);
  // For ordered endpoints: deliveries that waited for the sent ones.
  const taskIds = new Set(admitted.flatMap(({ taskId }) => taskId ?? []));
  const next = taskIds.size === 0 ? [] : await queueNextOfTasks(ctx, endpointId, [...taskIds]);
  const rest = [...left, ...next];
  const isLeftBehind = eventIds.length === maxDeliveriesPerJob || sending.slots?.leftBehind.has(endpointId);
  if (rest.length > 0 || ctx.signal.aborted || admitted.length === 0 || !isLeftBehind) return jobsOf(rest);
  // The next job of a backlog follows at once and need not wait for the sweep.
  return jobsOf(await ctx.inTransaction((tx) => queueBacklog(tx, endpointId, maxDeliveriesPerJob)));
}

type Admitting = {
  target: Target;
  endpointId: string;
  rowsOf(some: readonly ClaimedDelivery[]): ClaimedRows;
  observer: DeliveryObserver | undefined;
};

/** The claimed deliveries to send now. The rest is held for a paused endpoint, or postponed by its rate cap. */
async function admit(
  ctx: UseCaseContext,
  deliveries: readonly ClaimedDelivery[],
  { target, endpointId, rowsOf, observer }: Admitting,
): Promise<readonly ClaimedDelivery[]> {
  if (target.status === 'paused') {
    const held = deliveries.filter(({ isProbe }) => !isProbe);
    if (held.length > 0) await holdDeliveries(ctx, rowsOf(held));
    observer?.onPutOff(held.length, 'paused');
    return deliveries.filter(({ isProbe }) => isProbe);
  }
  if (target.maxPerSecond === null) return deliveries;
  const { allowed, freeAt } = await reserveSends(ctx, endpointId, deliveries.length);
  const throttled = deliveries.slice(allowed);
  const gapMs = 1_000 / target.maxPerSecond;
  if (throttled.length > 0 && freeAt) await postponeDeliveries(ctx, rowsOf(throttled), { from: freeAt, gapMs });
  observer?.onPutOff(throttled.length, 'rate_limit');
  return deliveries.slice(0, allowed);
}

/** One line a job, however many of its deliveries failed. */
function logFailed(
  { logger, tenantId }: UseCaseContext,
  endpointId: string,
  attempts: readonly DeliveryAttempt[],
): void {
  const failed = attempts.filter(({ verdict }) => verdict.state !== 'sent');
  const last = failed.at(-1);
  if (!last) return;
  const dead = failed.filter(({ verdict }) => verdict.state === 'failed').length;
  const { result } = last.response;
  const reason = result.kind === 'response' ? { status: result.status } : { error: result.reason };
  const attempt = last.claimed.attempts + 1;
  logger.warn({ tenantId, endpointId, count: failed.length, dead, attempt, ...reason }, 'deliveries failed');
}
