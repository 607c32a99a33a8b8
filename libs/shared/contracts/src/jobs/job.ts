import { z } from 'zod';

export type JobDef = {
  payload: z.ZodType<Record<string, unknown>>;
  /** The queue's own tries. 1 where retries are rows. */
  attempts: number;
  /** After this many ms the handler's signal aborts. */
  timeoutMs: number;
  /** For a consumer: which of the events that are routed to it it handles. Default: all of them. */
  wants?: (event: RoutedEvent) => boolean;
  /** For a consumer: its events are batched for this number of ms. Default: sent at once. */
  gatheredMs?: number;
  follows?: Follows;
};

/**
 * A consumer of public events that reads them by their numbers, from where it has come to, and gets a job when there are
 * new ones. Its events have no outbox rows of their own.
 */
type Follows = {
  /** The consumer of single events that gets what failed or ended its process. */
  leavesTo: string;
  /** Only events of tenants that subscribed. */
  isForSubscribed?: boolean;
};

type RoutedEvent = { type: string; data: Record<string, unknown>; facts: Record<string, unknown> };

export const defineQueue = <const Q extends string, const J extends Record<string, JobDef>>(name: Q, jobs: J) => ({
  name,
  jobs,
});

export const maxEventsPerJob = 500;

/** A consumer's batch: ids of events of one tenant, never their state. */
export const eventBatch = z.object({
  tenant_id: z.string(),
  event_ids: z.array(z.string()).min(1).max(maxEventsPerJob),
  /** They were sent before and are still pending: an earlier try may have ended its process. */
  is_again: z.boolean().optional(),
});

/** A job that consumes events. Its retries are outbox rows, so the queue tries once. */
export const eventConsumerJob = { payload: eventBatch, attempts: 1, timeoutMs: 30_000 } as const;
