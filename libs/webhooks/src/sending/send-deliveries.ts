import { type JobPayload, maxDeliveriesPerJob, type Send } from '@eas/contracts';
import type { FairLanes } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import {
  buryUnsent,
  claimDeliveries,
  type ClaimedDelivery,
  type ClaimedRows,
  holdDeliveries,
  postponeDeliveries,
  queueBacklog,
  queueNextOfTasks,
  releaseDeliveries,
} from '../deliveries/delivery.store.ts';
import { sendJobs } from '../deliveries/send-jobs.ts';
import { maxConcurrentPosts, maxPayloadBytes, startingMs, waitForSlotMs } from '../deliveries/sending-limits.ts';
import { findTarget, type Target } from '../endpoints/endpoint.read-model.ts';
import { reserveSends } from '../endpoints/health.store.ts';
import type { Attempt } from './attempt.ts';
import { nobody } from './delivery-observer.ts';
import { type AttemptMaking, makeAttempt } from './make-attempt.ts';
import { recordHealth } from './record-health.ts';
import { openKeys } from './sending-keys.ts';

export type DeliverySending = AttemptMaking & {
  /** The sending slots of this process, shared by tenants: slow endpoints of one do not hold up those of others. */
  slots?: FairLanes;
};

/**
 * Sends those of the job's deliveries that are still due, some at a time, and records each attempt with what follows
 * from it. What cannot be started in time is given back; what is too much for one job is left to another.
 */
export async function sendDeliveries(
  ctx: UseCaseContext,
  job: JobPayload<'delivery.send'>,
  sending: DeliverySending,
): Promise<{ then: Send[] }> {
  const { slots, observer = nobody } = sending;
  const patience = AbortSignal.any([ctx.signal, AbortSignal.timeout(waitForSlotMs)]);
  const leave = slots ? await slots.enter(ctx.tenantId, patience) : () => {};
  if (!leave) {
    // The rows still say that a job carries them: when that time is over a sweep finds them.
    observer.onPutOff(job.event_ids.length);
    return { then: [] };
  }
  try {
    return await sendInSlot(ctx, job, sending);
  } finally {
    leave();
  }
}

async function sendInSlot(
  ctx: UseCaseContext,
  { endpoint_id: endpointId, event_ids: eventIds }: JobPayload<'delivery.send'>,
  sending: DeliverySending,
): Promise<{ then: Send[] }> {
  const startedMs = ctx.clock.monotonicMs();
  const [{ claimedUntil, deliveries, left }, target] = await Promise.all([
    claimDeliveries(ctx, endpointId, eventIds, maxPayloadBytes),
    findTarget(ctx, endpointId),
  ]);
  const rowsOf = (some: readonly ClaimedDelivery[]): ClaimedRows => ({
    endpointId,
    eventIds: some.map(({ eventId }) => eventId),
    claimedUntil,
  });
  if (deliveries.length === 0) return { then: [] };
  if (!target || target.status === 'disabled' || target.status === 'deleted') {
    await buryUnsent(ctx, rowsOf(deliveries), `webhook_${target?.status ?? 'deleted'}`);
    return { then: [] };
  }
  const admitted = await admit(ctx, deliveries, { target, rowsOf, endpointId });
  const receiver = { endpointId, target, keys: openKeys(ctx, endpointId, target) };
  const isTimeToStart = () => !ctx.signal.aborted && ctx.clock.monotonicMs() - startedMs < startingMs;
  const attempts: Attempt[] = [];
  const unsent = await inLanes(admitted, maxConcurrentPosts, async (delivery) => {
    const attempt = isTimeToStart() ? await makeAttempt(ctx, delivery, receiver, sending) : undefined;
    if (attempt) attempts.push(attempt);
    return attempt !== undefined;
  });
  logFailed(ctx, endpointId, attempts);
  if (unsent.length > 0) await releaseDeliveries(ctx, rowsOf(unsent));
  await recordHealth(ctx, receiver, attempts);
  const next = await queueNext(ctx, endpointId, admitted);
  const rest = [...left, ...next].map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId }));
  if (rest.length > 0 || ctx.signal.aborted) return { then: sendJobs(rest) };
  const isBacklogLikely = eventIds.length === maxDeliveriesPerJob && admitted.length > 0;
  return { then: isBacklogLikely ? await nextJob(ctx, endpointId) : [] };
}

type Admitting = { target: Target; endpointId: string; rowsOf(some: readonly ClaimedDelivery[]): ClaimedRows };

/** What of the claimed goes out now. The rest is held for a paused endpoint, or put off by the cap of its rate. */
async function admit(
  ctx: UseCaseContext,
  deliveries: readonly ClaimedDelivery[],
  { target, endpointId, rowsOf }: Admitting,
): Promise<readonly ClaimedDelivery[]> {
  if (target.status === 'paused') {
    const held = deliveries.filter(({ isProbe }) => !isProbe);
    if (held.length > 0) await holdDeliveries(ctx, rowsOf(held));
    return deliveries.filter(({ isProbe }) => isProbe);
  }
  if (target.maxPerSecond === null) return deliveries;
  const { allowed, freeAt } = await reserveSends(ctx, endpointId, deliveries.length);
  const throttled = deliveries.slice(allowed);
  const gapMs = 1_000 / target.maxPerSecond;
  if (throttled.length > 0 && freeAt) await postponeDeliveries(ctx, rowsOf(throttled), { from: freeAt, gapMs });
  return deliveries.slice(0, allowed);
}

/** Where the endpoint wants the order of tasks: those that waited for what was sent. */
async function queueNext(
  ctx: UseCaseContext,
  endpointId: string,
  sent: readonly ClaimedDelivery[],
): Promise<readonly string[]> {
  const taskIds = new Set(sent.flatMap(({ taskId }) => taskId ?? []));
  return taskIds.size === 0 ? [] : queueNextOfTasks(ctx, endpointId, [...taskIds]);
}

/** A full job usually leaves a backlog behind it: the next one follows at once and need not wait for the sweep. */
async function nextJob(ctx: UseCaseContext, endpointId: string): Promise<Send[]> {
  const eventIds = await ctx.inTransaction((tx) => queueBacklog(tx, endpointId, maxDeliveriesPerJob));
  return sendJobs(eventIds.map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId })));
}

/** One line a job, however many of its deliveries failed. */
function logFailed({ logger, tenantId }: UseCaseContext, endpointId: string, attempts: readonly Attempt[]): void {
  const failed = attempts.filter(({ verdict }) => verdict.kind !== 'delivered');
  const last = failed.at(-1);
  if (!last) return;
  const dead = failed.filter(({ verdict }) => verdict.kind === 'dead').length;
  const { result, number } = last;
  const reason = result.kind === 'response' ? { status: result.status } : { error: result.reason };
  logger.warn({ tenantId, endpointId, count: failed.length, dead, attempt: number, ...reason }, 'deliveries failed');
}

/** Runs `work` over the items, `lanes` at a time, in order. Gives those for which it said false. */
async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<boolean>): Promise<T[]> {
  const waiting = [...items];
  const refused: T[] = [];
  const runLane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      if (!(await work(item))) refused.push(item);
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  // Only now: whoever waits for this work waits for every lane of it.
  const failed = settled.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  return refused;
}
