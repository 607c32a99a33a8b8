import type { Send } from '@eas/contracts';
import type { Logger } from '@eas/core';
import { type Database, type Db, sweepAlone, sweepEach, type Tx } from '@eas/db';
import type { Egress } from '@eas/egress';
import { createBatchSlots } from '@eas/outbound';
import { type OpenQueues, type QueueWorker, startWorker, type WorkerOptions } from '@eas/queue';
import { type IdleWatch, type Loop, startLoop } from '@eas/runtime';
import {
  deadLetterHeld,
  createLeftBehind,
  type DeliveryObserver,
  drainHeld,
  maxJobsAtOnce,
  nextDeliveryAt,
  nextReplayAt,
  settleDrained,
  sweepDueDeliveries,
  sweepProbes,
  sweepReplay,
} from '@eas/webhooks';
import { webhookHandlers } from './handlers.ts';

/** Maximum delay until the end of a wait is noticed. */
const sweepEveryMs = 500;
/** The interval of checking held deliveries, also with each sweep while some can be sent. */
const heldEveryMs = 3_000;
/** The interval at which a replay is advanced. */
const replayEveryMs = 250;
/** Above this number of waiting jobs the workers have enough to do, and due deliveries wait as rows. */
const maxWaitingJobs = 500;

export type DispatchingParts = {
  database: Database;
  queues: OpenQueues;
  egress: Egress;
  makeContext: WorkerOptions['makeContext'];
  logger: Logger;
  /** Seconds to wait before the second, third … attempt. */
  retrySeconds: readonly number[];
  /** Jobs that send at a time. */
  concurrency: number;
  observer?: DeliveryObserver;
  idleWatch?: IdleWatch;
};

export type Dispatching = { startWorker(): Promise<QueueWorker>; startSweeper(): Loop; startReplays(): Loop };

/** The work of this process: the jobs of the queue `webhooks`, and the sweep that finds deliveries without a job. */
export function dispatching(parts: DispatchingParts): Dispatching {
  const { database, queues, egress, makeContext, logger, retrySeconds, concurrency, observer, idleWatch } = parts;
  const retry = { scheduleMs: retrySeconds.map((seconds) => seconds * 1_000) };
  const { slots, inHand } = createBatchSlots(concurrency, maxJobsAtOnce);
  const pauseUntil = (nextDueAt: (db: Db) => Promise<Date | null>) =>
    idleWatch && { watch: idleWatch, nextDueAt: () => nextDueAt(database.db) };
  const sending = {
    send: egress.send,
    retry,
    slots: { ...slots, leftBehind: createLeftBehind() },
    ...(observer ? { observer } : {}),
  };
  return {
    startWorker: () =>
      startWorker(queues, 'webhooks', webhookHandlers(sending), {
        makeContext,
        concurrency: inHand,
        // A trip through the queue would take longer than the delivery.
        kept: { jobs: ['delivery.send'], atMost: concurrency },
        logger,
      }),
    startSweeper: () =>
      startLoop({
        name: 'due deliveries',
        everyMs: sweepEveryMs,
        run: sweeping(parts),
        pause: pauseUntil(nextDeliveryAt),
        logger,
      }),
    startReplays: () =>
      startLoop({
        name: 'replays',
        everyMs: replayEveryMs,
        run: () => sweepEach(database, sweepReplay),
        pause: pauseUntil(nextReplayAt),
        logger,
      }),
  };
}

/** One sweep of all due and held deliveries; only one process at a time runs it. */
function sweeping({ database, queues }: Pick<DispatchingParts, 'database' | 'queues'>): () => Promise<void> {
  let heldAtMs = -Infinity;
  const alone = <T>(sweep: (tx: Tx) => Promise<T>) => sweepAlone(database, 'deliveries', sweep);

  async function queue(sweep: (tx: Tx) => Promise<Send[]>): Promise<number> {
    const jobs = (await alone(sweep)) ?? [];
    await queues.send(jobs);
    return jobs.length;
  }

  return async () => {
    const { webhooks } = await queues.depths();
    if ((webhooks?.waiting ?? 0) > maxWaitingJobs) return;
    // Held deliveries first: they must not wait for an endpoint that always has something due.
    await queue(sweepProbes);
    if (performance.now() >= heldAtMs) {
      await alone(settleDrained);
      const drained = await queue(drainHeld);
      await alone(deadLetterHeld);
      if (drained === 0) heldAtMs = performance.now() + heldEveryMs;
    }
    await queue(sweepDueDeliveries);
  };
}
