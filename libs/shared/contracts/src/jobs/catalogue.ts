import type { z } from 'zod';
import { analyticsQueue } from './analytics.jobs.ts';
import type { eventBatch, JobDef } from './job.ts';
import { webhooksQueue } from './webhooks.jobs.ts';
import { workflowQueue } from './workflow.jobs.ts';

export const queues = { workflow: workflowQueue, webhooks: webhooksQueue, analytics: analyticsQueue };
export type Queues = typeof queues;
export type QueueName = keyof Queues;
type JobsOf<Q extends QueueName> = Queues[Q]['jobs'];
type AllJobs = JobsOf<'workflow'> & JobsOf<'webhooks'> & JobsOf<'analytics'>;
export type JobName = keyof AllJobs;
export type JobPayload<N extends JobName> = z.infer<AllJobs[N]['payload']>;

export type Send = { [N in JobName]: { job: N; payload: JobPayload<N> } }[JobName];

type IsSame<A, B> = [A, B] extends [B, A] ? true : false;

/** Jobs whose payload is a batch of events: what routing may name. */
export type Consumer = {
  [N in JobName]: IsSame<JobPayload<N>, z.infer<typeof eventBatch>> extends true ? N : never;
}[JobName];

const jobs: Readonly<Record<string, JobDef>> = Object.assign({}, ...Object.values(queues).map((queue) => queue.jobs));

export const jobOf = (name: JobName): JobDef => jobs[name] as JobDef;

export function queueOf(job: JobName): QueueName {
  for (const [name, queue] of Object.entries(queues)) if (job in queue.jobs) return name as QueueName;
  throw new Error(`job ${job} belongs to no queue`);
}
