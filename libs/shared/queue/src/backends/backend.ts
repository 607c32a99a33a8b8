import type { Job, JobsOptions, Queue, Worker } from 'bullmq';
import pTimeout from 'p-timeout';

/** Runs a job; the token proves that this worker holds it. */
export type RunJob = (job: Job, token?: string) => Promise<void>;

/** `concurrency`: jobs at a time. */
export type WorkerSettings = { concurrency: number };

export type BackendWorker = { worker: Worker; disconnect(): Promise<void> };

export type NewJob = { name: string; data: unknown; opts: JobsOptions };

/** Of one server, or of a Cluster: the memory of its fullest node, and the rest of all nodes. */
export type RedisState = {
  memoryUsed: number | undefined;
  /** Undefined where it is unlimited and Redis does not say what its machine has. */
  memoryMax: number | undefined;
  evictedKeys: number;
  isSaved: { rdb: boolean; aof: boolean };
};

/** What differs between the stores that BullMQ can run on. */
export type Backend = {
  kind: 'redis' | 'postgres';
  /** A producer. All producers of a process share one connection, which fails fast. */
  openQueue(name: string): Queue;
  add(queue: Queue, jobs: readonly NewJob[]): Promise<void>;
  /** When the oldest waiting job was added, in ms since 1970; undefined when none waits. */
  oldestWaitingAt(queue: Queue): Promise<number | undefined>;
  /** A worker with connections of its own, which reconnect for ever. */
  openWorker(name: string, run: RunJob, settings: WorkerSettings): BackendWorker;
  /** Throws when the store does not respond within 5 s. */
  ping(): Promise<void>;
  /** On Redis. */
  readRedisState?: () => Promise<RedisState>;
  close(): Promise<void>;
};

/** A SIGKILLed worker's job runs again elsewhere at most 20 s later: the lock's 15 s and one check. */
export const workerDefaults = {
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 3,
  // Seconds that an idle worker blocks before it polls again, also after the store was wiped.
  drainDelay: 5,
  runRetryDelay: 1_000,
  // Finished jobs are kept for display only: the rows are the source of truth.
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 1_000, age: 7 * 24 * 3_600 },
} as const;

/** BullMQ's own stream of events, which is not read here. */
export const producerDefaults = { streams: { events: { maxLen: 100 } } } as const;

export const connectTimeoutMs = 10_000;
export const pingTimeoutMs = 5_000;

/** Rejects when `work` takes longer than `timeoutMs`. */
export const within = <T>(timeoutMs: number, what: string, work: Promise<T>): Promise<T> =>
  pTimeout(work, { milliseconds: timeoutMs, message: `${what} took longer than ${timeoutMs} ms` });
