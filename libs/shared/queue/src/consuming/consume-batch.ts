import { jobOf, type Send } from '@eas/contracts';
import {
  contextInTransaction,
  countTries,
  isDatabaseUnavailable,
  maxConsumeAttempts,
  requeueEvents,
  type PendingTries,
  readPendingTries,
  takePendingEvents,
  takePendingIds,
  type UseCaseContext,
} from '@eas/db';
import { splitBySize } from './batches.ts';
import { follow } from './follow.ts';
import { againAfterMs, handleEvents } from './handle-events.ts';
import { endTry, holdBack } from './end-try.ts';
import type { EventConsumer } from './handlers.ts';
import { createJoiner, type JoinJobs } from './join-jobs.ts';
import { createSerialQueue, type SerialQueue } from './serial-queue.ts';
import type { QueueMetrics } from '../backends/queue-metrics.ts';

/** A consumer's job. `isAgain`: a try of its events may have ended the process that made it. */
export type ConsumerJob = { eventIds: readonly string[]; isAgain: boolean };

/**
 * What the jobs of a worker share. `suspects` processes events of lost tries, one at a time in the process. Jobs that
 * follow lock the same cursor, so one of a tenant runs at a time.
 */
export type ConsumerParts = {
  metrics: QueueMetrics;
  suspects: SerialQueue;
  joinFirstTries: JoinJobs<Work>;
  joinFollowing: JoinJobs<Work>;
};

type Work = { metrics: QueueMetrics; suspects: SerialQueue; ctx: UseCaseContext; consumer: EventConsumer };

const workFirstTries = (work: Work, eventIds: readonly string[]) =>
  inBatches(work, eventIds, (batch) => workTogether(work, batch, false));

export const createConsumerParts = (metrics: QueueMetrics): ConsumerParts => ({
  metrics,
  suspects: createSerialQueue(),
  joinFirstTries: createJoiner(workFirstTries, { maxAtOnce: 2 }),
  joinFollowing: createJoiner(workFirstTries, { maxAtOnce: 1 }),
});

/**
 * Processes a job of events exactly once: one transaction, bounded by the bytes that it reads, takes them from the
 * outbox and applies their effect. When it throws, every event is tried in a transaction of its own, and one that fails
 * alone is postponed: a bad event never holds up others. No try counts while the database is unavailable. First tries
 * of a tenant that arrive while others are processed share the next transaction. Returns the follow-up jobs to send.
 *
 * A first try is not counted before it begins, since that would cost every event a write. Later ones are, so that an
 * event that ends its process is dead after ten tries, like one that throws.
 */
export async function consumeBatch(
  ctx: UseCaseContext,
  consumer: EventConsumer,
  { eventIds, isAgain }: ConsumerJob,
  { joinFirstTries, joinFollowing, ...parts }: ConsumerParts,
): Promise<Send[]> {
  const work: Work = { ...parts, ctx, consumer };
  if (isAgain) return inBatches(work, eventIds, (batch) => workAgain(work, batch));
  const join = jobOf(consumer.consumer).follows ? joinFollowing : joinFirstTries;
  return join(`${consumer.consumer} ${ctx.tenantId}`, { work, eventIds });
}

async function inBatches(
  { ctx, consumer }: Work,
  eventIds: readonly string[],
  workBatch: (eventIds: readonly string[]) => Promise<Send[]>,
): Promise<Send[]> {
  const sends: Send[] = [];
  for (const batch of await splitBySize(ctx, consumer, eventIds)) {
    ctx.signal.throwIfAborted();
    sends.push(...(await workBatch(batch)));
  }
  return sends;
}

/** Events of lost tries are processed alone and last, so that the next lost try counts for the culprit only. */
async function workAgain(work: Work, eventIds: readonly string[]): Promise<Send[]> {
  const { ctx, consumer, suspects } = work;
  const pending = await readPendingTries(ctx, consumer.consumer, eventIds);
  const fresh = pending.filter(({ attempts }) => attempts === 0).map(({ eventId }) => eventId);
  const sends: Send[] = [];
  if (fresh.length > 0) {
    await countTries(ctx, consumer.consumer, fresh);
    sends.push(...(await workTogether(work, fresh, true)));
  }
  for (const suspect of pending.filter(({ attempts }) => attempts > 0))
    sends.push(...(await suspects(() => workSuspect(work, suspect))));
  return sends;
}

async function workSuspect(work: Work, { eventId, attempts }: PendingTries): Promise<Send[]> {
  const { ctx, consumer } = work;
  ctx.signal.throwIfAborted();
  if (attempts >= maxConsumeAttempts) {
    const error = new Error('no attempt ended: each time the process died or the job timed out');
    await endTry(ctx, consumer, { eventId, error, isCounted: true }, work.metrics);
    return [];
  }
  await countTries(ctx, consumer.consumer, [eventId]);
  return workTogether(work, [eventId], true);
}

async function workTogether(work: Work, eventIds: readonly string[], isCounted: boolean): Promise<Send[]> {
  const { ctx, consumer, metrics } = work;
  try {
    return await take(work, eventIds, isCounted);
  } catch (error) {
    // The result is no longer awaited: the rows stay, and the relay resends them.
    if (ctx.signal.aborted) throw error;
    if (isDatabaseUnavailable(error)) {
      await holdBack(ctx, consumer, { eventIds, error, isCounted }, metrics);
      return [];
    }
    const [eventId] = eventIds;
    if (eventIds.length === 1 && eventId !== undefined) {
      await endTry(ctx, consumer, { eventId, error, isCounted }, metrics);
      return [];
    }
    const fields = { err: error, consumer: consumer.consumer, count: eventIds.length };
    ctx.logger.warn(fields, 'batch failed, retrying events one by one');
  }
  const sends: Send[] = [];
  for (const eventId of eventIds) {
    ctx.signal.throwIfAborted();
    sends.push(...(await workTogether(work, [eventId], isCounted)));
  }
  return sends;
}

const nothing: { count: number; then: Send[] } = { count: 0, then: [] };

async function take(work: Work, eventIds: readonly string[], isAgain: boolean): Promise<Send[]> {
  const { ctx, consumer, metrics } = work;
  const { count, then } = await ctx.inTransaction(async (tx) => {
    const inner = contextInTransaction(ctx, tx);
    if (jobOf(consumer.consumer).follows) {
      const [eventId] = await takePendingIds(tx, consumer.consumer, eventIds);
      return eventId === undefined ? nothing : follow(inner, tx, consumer, { eventId, isAgain });
    }
    const events = await takePendingEvents(tx, consumer.consumer, eventIds);
    if (events.length === 0) return nothing;
    const { again, ...handled } = await handleEvents(inner, consumer, events);
    await requeueEvents(tx, consumer.consumer, { eventIds: again, afterMs: againAfterMs });
    return { count: events.length - again.length, then: handled.then };
  });
  metrics.eventsConsumed(consumer.consumer, 'done', count);
  return then;
}
