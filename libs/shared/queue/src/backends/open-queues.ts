import { type JobDef, type QueueName, queueOf, queues as catalogue, type Send } from '@eas/contracts';
import { type Logger, unusable } from '@eas/core';
import type { Metrics } from '@eas/runtime';
import type { JobType, Queue } from 'bullmq';
import pTimeout from 'p-timeout';
import {
  type Backend,
  type BackendWorker,
  type NewJob,
  type RunJob,
  workerDefaults,
  type WorkerSettings,
} from './backend.ts';
import { openPostgresBackend } from './postgres-backend.ts';
import { createQueueMetrics, noQueueMetrics, type QueueDepths, type QueueMetrics } from './queue-metrics.ts';
import { openRedisBackend } from './redis-backend.ts';

/** Time limit for closing queues: what hangs then ends with the process. */
const lastMs = 5_000;

/** The queue store and the name of this installation in it. */
export type QueueOptions = {
  /** Queues on Redis; unset: on Postgres. Comma-separated for Cluster. */
  redisUrl?: string | undefined;
  /** A direct connection: the Postgres back end listens on it. */
  databaseUrl: string;
  /** Keeps installations on one store apart: a key prefix on Redis, a schema on Postgres. */
  namespace?: string;
  logger: Logger;
  /** The process's metrics; unset: nothing is counted. */
  metrics?: Metrics;
};

export type OpenQueues = {
  backend: 'redis' | 'postgres';
  /**
   * Adds jobs to their queues, one batch per queue. Throws when the store is unavailable or a payload does not match
   * its schema.
   */
  send(sends: readonly Send[]): Promise<void>;
  depths(): Promise<QueueDepths>;
  /** How long the oldest waiting job of each queue has waited, in seconds; 0 when none waits. */
  oldestSeconds(): Promise<Record<string, number>>;
  /** Every queue of the catalogue, for inspection. */
  all(): Queue[];
  /** Throws when the store does not respond within 5 s. */
  ping(): Promise<void>;
  /** What Redis says of itself, if the queues are on Redis. */
  readRedisState: Backend['readRedisState'];
  close(): Promise<void>;
  metrics: QueueMetrics;
  openWorker(queue: QueueName, run: RunJob, settings: WorkerSettings): BackendWorker;
};

/** Jobs of a paused queue wait too: on Postgres the library counts them apart, though its types lack the name. */
const countedStates = ['waiting', 'paused', 'active', 'delayed', 'failed'] as JobType[];

/** Connects; throws a StartError when the queue store cannot be used. */
export async function openQueues(options: QueueOptions): Promise<OpenQueues> {
  const { metrics } = options;
  const backend = await openBackend(options);
  const producers = new Map<QueueName, Queue>();

  function producer(name: QueueName): Queue {
    let queue = producers.get(name);
    if (!queue) producers.set(name, (queue = backend.openQueue(name)));
    return queue;
  }

  async function depths(): Promise<QueueDepths> {
    const names = Object.keys(catalogue) as QueueName[];
    const counted = names.map(async (name) => {
      const counts = await producer(name).getJobCounts(...countedStates);
      const { waiting = 0, paused = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return [name, { waiting: waiting + paused, active, delayed, failed }] as const;
    });
    return Object.fromEntries(await Promise.all(counted)) as QueueDepths;
  }

  async function oldestSeconds(): Promise<Record<string, number>> {
    const aged = (Object.keys(catalogue) as QueueName[]).map(async (name) => {
      const since = await backend.oldestWaitingAt(producer(name));
      return [name, since === undefined ? 0 : Math.max(0, Date.now() - since) / 1_000] as const;
    });
    return Object.fromEntries(await Promise.all(aged));
  }

  return {
    backend: backend.kind,
    async send(sends) {
      const added = [...groupByQueue(sends)].map(([name, jobs]) => backend.add(producer(name), jobs));
      await Promise.all(added);
    },
    depths,
    oldestSeconds,
    all: () => (Object.keys(catalogue) as QueueName[]).map(producer),
    ping: () => backend.ping(),
    readRedisState: backend.readRedisState,
    async close() {
      const closed = Promise.allSettled([...producers.values()].map((queue) => queue.close()));
      await pTimeout(closed, { milliseconds: lastMs, fallback: () => [] });
      await backend.close();
    },
    metrics: metrics ? createQueueMetrics(metrics) : noQueueMetrics,
    openWorker: (queue, run, settings) => backend.openWorker(queue, run, settings),
  };
}

async function openBackend({ redisUrl, databaseUrl, namespace, logger }: QueueOptions): Promise<Backend> {
  try {
    return redisUrl
      ? await openRedisBackend(redisUrl, namespace ?? 'eas', logger)
      : await openPostgresBackend(databaseUrl, namespace ?? 'queue', logger);
  } catch (error) {
    throw redisUrl
      ? unusable('Redis', 'REDIS_URL', redisUrl, error)
      : unusable('The queue on Postgres', 'DATABASE_URL', databaseUrl, error);
  }
}

/** Jobs per queue with their options. A payload that does not match its schema throws: a programming error. */
export function groupByQueue(sends: readonly Send[]): Map<QueueName, NewJob[]> {
  const groups = new Map<QueueName, NewJob[]>();
  for (const { job, payload } of sends) {
    const name = queueOf(job);
    const { payload: schema, attempts } = (catalogue[name].jobs as Record<string, JobDef>)[job] as JobDef;
    const { removeOnComplete, removeOnFail } = workerDefaults;
    const entry: NewJob = {
      name: job,
      data: schema.parse(payload),
      opts: { attempts, backoff: { type: 'exponential', delay: 1_000 }, removeOnComplete, removeOnFail },
    };
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return groups;
}
