import { type JobPayload, maxDeliveriesPerJob, type Send } from '@eas/contracts';
import type { FairLanes } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Attempt, attemptRow } from './attempt.ts';
import { recordAttempts } from './attempt.store.ts';
import {
  buryUnsent,
  claimDeliveries,
  type ClaimedDelivery,
  queueBacklog,
  releaseDeliveries,
} from './delivery.store.ts';
import { type DeliveryObserver, nobody } from './delivery-observer.ts';
import { findTarget } from '../endpoints/endpoint.read-model.ts';
import { disableEndpoint } from '../endpoints/endpoint.store.ts';
import { openKeys, type SendingKeys } from '../endpoints/sending-keys.ts';
import { sendJobs } from './send-jobs.ts';
import { sendSigned } from './send-signed.ts';
import { maxConcurrentPosts, maxPayloadBytes, startingMs, waitForSlotMs } from './sending-limits.ts';
import type { SendRequest } from './transport.ts';
import { judge, type RetryPolicy } from './verdict.ts';

export type DeliverySending = {
  send: SendRequest;
  retry: RetryPolicy;
  /** The sending slots of this process, shared by tenants: slow endpoints of one do not hold up those of others. */
  slots?: FairLanes;
  observer?: DeliveryObserver;
};

type Address = { endpointId: string; url: string; keys: SendingKeys | undefined };

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
  const [{ claimed, left }, target] = await Promise.all([
    claimDeliveries(ctx, endpointId, eventIds, maxPayloadBytes),
    findTarget(ctx, endpointId),
  ]);
  if (claimed.length === 0) return { then: [] };
  if (!target?.isActive) {
    await buryUnsent(ctx, endpointId, [...eventIdsOf(claimed), ...left]);
    return { then: [] };
  }
  const address = { endpointId, url: target.url, keys: openKeys(ctx, endpointId, target) };
  const isTimeToStart = () => !ctx.signal.aborted && ctx.clock.monotonicMs() - startedMs < startingMs;
  const failed: Attempt[] = [];
  const unsent = await inLanes(claimed, maxConcurrentPosts, async (delivery) => {
    const attempt = isTimeToStart() ? await sendOne(ctx, delivery, address, sending) : undefined;
    if (attempt && attempt.verdict.kind !== 'delivered') failed.push(attempt);
    return attempt !== undefined;
  });
  logFailed(ctx, endpointId, failed);
  if (unsent.length > 0) await releaseDeliveries(ctx, endpointId, eventIdsOf(unsent));
  const rest = left.map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId }));
  if (rest.length > 0 || ctx.signal.aborted) return { then: sendJobs(rest) };
  return { then: eventIds.length < maxDeliveriesPerJob ? [] : await nextJob(ctx, endpointId) };
}

/** A full job usually leaves a backlog behind it: the next one follows at once and need not wait for the sweep. */
async function nextJob(ctx: UseCaseContext, endpointId: string): Promise<Send[]> {
  const eventIds = await ctx.inTransaction((tx) => queueBacklog(tx, endpointId, maxDeliveriesPerJob));
  return sendJobs(eventIds.map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId })));
}

/** One line a job, however many of its deliveries failed. */
function logFailed({ logger, tenantId }: UseCaseContext, endpointId: string, failed: readonly Attempt[]): void {
  const last = failed.at(-1);
  if (!last) return;
  const dead = failed.filter(({ verdict }) => verdict.kind === 'dead').length;
  const { result, number } = last;
  const reason = result.kind === 'response' ? { status: result.status } : { error: result.reason };
  logger.warn({ tenantId, endpointId, count: failed.length, dead, attempt: number, ...reason }, 'deliveries failed');
}

/** Makes one attempt. Undefined: it was given up here and is not to be counted. */
async function sendOne(
  ctx: UseCaseContext,
  delivery: ClaimedDelivery,
  { endpointId, url, keys }: Address,
  { send, retry, observer = nobody }: DeliverySending,
): Promise<Attempt | undefined> {
  const startedAt = ctx.clock.now();
  const result = await sendSigned(send, { event: delivery, url, keys, at: startedAt, signal: ctx.signal });
  if (ctx.signal.aborted && result.kind === 'failure') return undefined;
  const number = delivery.attempts + 1;
  const endedAt = ctx.clock.now();
  const verdict = judge(result, number, retry, endedAt);
  const attempt = { number, startedAt, result, verdict };
  // Before the record: should this process die between the two, the delivery ends at the disabled endpoint.
  if (verdict.kind === 'dead' && verdict.disablesEndpoint && (await disableEndpoint(ctx, endpointId, endedAt)))
    ctx.logger.info({ endpointId }, 'endpoint returned 410 and was disabled');
  const key = { tenantId: ctx.tenantId, eventId: delivery.eventId, endpointId };
  const row = attemptRow(key, attempt);
  const isRecorded = await ctx.gather(recordAttempts, row);
  observer.onAttempt({ outcome: row.outcome, end: row.delivery_status, durationMs: result.durationMs });
  if (verdict.kind === 'delivered') observer.onDelivered(endedAt.getTime() - delivery.occurredAt.getTime());
  if (!isRecorded) ctx.logger.warn({ ...key, number }, 'attempt not recorded: delivery was sent twice');
  return attempt;
}

function eventIdsOf(deliveries: readonly ClaimedDelivery[]): string[] {
  return deliveries.map(({ eventId }) => eventId);
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
