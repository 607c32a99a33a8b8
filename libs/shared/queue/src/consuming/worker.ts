import { type JobDef, type JobName, type QueueName, queues as catalogue, type Send } from '@eas/contracts';
import { createFairSlots, type Logger } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Job, UnrecoverableError, WaitingError } from 'bullmq';
import pTimeout from 'p-timeout';
import type { RunJob } from '../backends/backend.ts';
import { consumeBatch, type ConsumerParts, createConsumerParts } from './consume-batch.ts';
import { checkHandlers, type EventConsumer, type Handlers, type JobHandler } from './handlers.ts';
import type { OpenQueues } from '../backends/open-queues.ts';

export type WorkerOptions = {
  /** Context of one job, not in a transaction. `signal` aborts at the job's time-out and at a forced end. */
  makeContext: (job: { tenantId: string; signal: AbortSignal; logger: Logger }) => UseCaseContext;
  /** Jobs at a time. Each event-consumer job holds one database connection. */
  concurrency: number;
  /**
   * Tenants take turns: up to `concurrency` jobs of one tenant, twice that in total, and some more wait in the process.
   */
  isFair?: boolean;
  /**
   * Follow-up jobs of this queue that this process runs at once, up to `atMost` at a time; further ones are queued. If
   * the process dies they are lost, as any hint may be.
   */
  kept?: { jobs: readonly JobName[]; atMost: number };
  logger: Logger;
};

export type QueueWorker = {
  /**
   * Takes no more jobs and waits for the current ones; in the last quarter (at most 1 s) of `timeoutMs` aborts their
   * signals, then abandons them. Another worker runs abandoned jobs again.
   */
  drain(timeoutMs: number): Promise<void>;
};

type AnyHandler = EventConsumer | JobHandler<unknown>;
type AnyHandlers = Record<string, AnyHandler>;
type WorkedQueue = {
  queues: OpenQueues;
  queue: QueueName;
  handlers: AnyHandlers;
  parts: ConsumerParts;
  /** Runs or queues follow-up jobs. */
  follow(sends: Send[]): Promise<void>;
};
type WorkedJob = Pick<Job, 'id' | 'name' | 'data' | 'timestamp' | 'delay' | 'attemptsStarted' | 'attemptsMade'>;

/** A fair worker fetches this number of jobs per slot. Waiting jobs of a tenant run together. */
const fetchedPerSlot = 4;

/**
 * Waits for a slot for a tenant's job; a tenant that is alone gets half of the slots. Rejects when the signal aborts.
 */
function turnsOf(concurrency: number, fetched: number) {
  const slots = createFairSlots({ slots: 2 * concurrency, maxWaiting: 2 * fetched });
  return async ({ data }: WorkedJob, signal: AbortSignal) => {
    const leave = await slots.enter(String((data as Partial<TenantPayload>).tenant_id), signal);
    if (!leave) throw signal.reason;
    return leave;
  };
}

/** Starts processing a queue. Throws when the handlers do not match the catalogue or the store cannot be reached. */
export async function startWorker<Q extends QueueName>(
  queues: OpenQueues,
  queue: Q,
  handlers: Handlers<Q>,
  options: WorkerOptions,
): Promise<QueueWorker> {
  checkHandlers(queue, handlers);
  const inHand = new Set<AbortController>();
  const parts = createConsumerParts(queues.metrics);
  const keptWork = new Set<Promise<void>>();
  let isDraining = false;
  const { concurrency, isFair = false } = options;
  const fetched = isFair ? concurrency * fetchedPerSlot : concurrency;
  const enter = isFair ? turnsOf(concurrency, fetched) : async () => () => {};
  const work = async (job: WorkedJob) => {
    const controller = new AbortController();
    inHand.add(controller);
    let leave: (() => void) | undefined;
    try {
      leave = await enter(job, controller.signal);
      await workJob({ queues, queue, parts, handlers: handlers as AnyHandlers, follow }, options, job, controller);
    } finally {
      leave?.();
      inHand.delete(controller);
    }
  };
  const { jobs: keptJobs, atMost } = options.kept ?? { jobs: [], atMost: 0 };
  async function follow(sends: Send[]): Promise<void> {
    const others: Send[] = [];
    for (const send of sends) {
      if (isDraining || keptWork.size >= atMost || !keptJobs.includes(send.job)) others.push(send);
      else keep(send);
    }
    if (others.length > 0) await sendHints(queues, others, options.logger);
  }
  function keep({ job: name, payload }: Send): void {
    const job = {
      id: undefined,
      name,
      data: payload,
      timestamp: Date.now(),
      delay: 0,
      attemptsStarted: 1,
      attemptsMade: 0,
    };
    // A failure is logged; sweepers find its rows.
    const worked: Promise<void> = work(job).then(
      () => void keptWork.delete(worked),
      () => void keptWork.delete(worked),
    );
    keptWork.add(worked);
  }
  const run: RunJob = async (job, token) => {
    // BullMQ fetches once more after `close` is called.
    if (isDraining) return giveBack(job, token);
    await work(job);
  };
  const { worker, disconnect } = queues.openWorker(queue, run, { concurrency: fetched });
  worker.on('stalled', (jobId) => {
    queues.metrics.jobStalled(queue);
    options.logger.warn({ queue, jobId }, 'job stalled, running again');
  });
  await worker.waitUntilReady();

  return {
    async drain(timeoutMs) {
      isDraining = true;
      const closed = Promise.all([worker.close(), ...keptWork]);
      const lastMs = Math.min(1_000, timeoutMs / 4);
      if (await settlesWithin(closed, timeoutMs - lastMs)) return void (await settlesWithin(disconnect(), lastMs));
      options.logger.warn({ queue, jobs: inHand.size }, 'jobs did not end in time, aborting them');
      for (const controller of inHand) controller.abort(new Error('shutting down'));
      await settlesWithin(closed, lastMs);
      await settlesWithin(disconnect(), lastMs);
    },
  };
}

async function giveBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  // The library refuses 0 and less.
  return pTimeout(settled, { milliseconds: Math.max(1, timeoutMs), fallback: () => false });
}

/** The wrapper of all jobs: parsing, context, time-out, metrics, log lines. */
async function workJob(
  { queues, queue, handlers, parts, follow }: WorkedQueue,
  { makeContext, logger }: WorkerOptions,
  job: WorkedJob,
  controller: AbortController,
): Promise<void> {
  const startedAt = performance.now();
  const waitMs = Math.max(0, Date.now() - job.timestamp - job.delay);
  const fields = { queue, job: job.name, jobId: job.id };
  const definition = (catalogue[queue].jobs as Record<string, JobDef>)[job.name];
  const timer = setTimeout(
    () => controller.abort(new Error(`job timed out after ${definition?.timeoutMs} ms`)),
    definition?.timeoutMs,
  );
  logger.debug(fields, 'job started');
  let outcome: 'completed' | 'failed' = 'failed';
  try {
    const payload = parsePayload(definition, job);
    const ctx = makeContext({ tenantId: payload.tenant_id, signal: controller.signal, logger });
    // It was started before: its worker was lost.
    const isAgain = payload.is_again === true || job.attemptsStarted > 1;
    const then = await runHandler(handlers[job.name] as AnyHandler, ctx, { ...payload, is_again: isAgain }, parts);
    outcome = 'completed';
    if (then.length > 0) await follow(then);
  } catch (error) {
    logger.warn({ ...fields, err: error, attempt: job.attemptsMade + 1 }, 'job failed');
    throw error;
  } finally {
    clearTimeout(timer);
    const tookMs = performance.now() - startedAt;
    queues.metrics.jobEnded(queue, job.name as JobName, outcome, waitMs, tookMs);
    logger.debug({ ...fields, outcome, waitMs, tookMs: Math.round(tookMs) }, 'job ended');
  }
}

type TenantPayload = { tenant_id: string; event_ids?: string[]; is_again?: boolean };

function parsePayload(definition: JobDef | undefined, job: WorkedJob): TenantPayload {
  const parsed = definition?.payload.safeParse(job.data);
  // A retry would not help in either case.
  if (!parsed) throw new UnrecoverableError(`job ${job.name} is not in the catalogue`);
  if (!parsed.success) throw new UnrecoverableError(`payload of ${job.name} does not fit: ${parsed.error.message}`);
  return parsed.data as TenantPayload;
}

async function runHandler(
  handler: AnyHandler,
  ctx: UseCaseContext,
  payload: TenantPayload,
  parts: ConsumerParts,
): Promise<Send[]> {
  if (typeof handler === 'function') return (await handler(ctx, payload))?.then ?? [];
  const { event_ids: eventIds = [], is_again: isAgain = false } = payload;
  return consumeBatch(ctx, handler, { eventIds, isAgain }, parts);
}

/** The work has committed: if a hint is lost, its work is only late. */
async function sendHints(queues: OpenQueues, sends: Send[], logger: Logger): Promise<void> {
  await queues.send(sends).catch((error: unknown) => {
    logger.warn({ err: error, count: sends.length }, 'follow-up jobs not sent, sweepers will pick them up');
  });
}
