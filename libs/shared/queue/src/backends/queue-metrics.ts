import type { Metrics } from '@eas/runtime';

export type QueueMetrics = {
  jobEnded(queue: string, job: string, outcome: 'completed' | 'failed', waitMs: number, tookMs: number): void;
  jobStalled(queue: string): void;
  eventsConsumed(consumer: string, outcome: 'done' | 'postponed' | 'dead', count: number): void;
  eventsRelayed(consumer: string, kind: 'first' | 'again', count: number): void;
};

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60];

/** Registers the metrics; `depths` is asked at each scrape. Once per registry. */
export function createQueueMetrics(metrics: Metrics, depths: () => Promise<QueueDepths>): QueueMetrics {
  const jobLabels = ['queue', 'job'] as const;
  const jobs = metrics.counter({
    name: 'eas_jobs_total',
    help: 'Finished jobs by outcome.',
    labelNames: [...jobLabels, 'outcome'],
  });
  const stalled = metrics.counter({
    name: 'eas_jobs_stalled_total',
    help: 'Jobs whose worker was lost.',
    labelNames: ['queue'],
  });
  const waits = metrics.histogram({
    name: 'eas_job_wait_seconds',
    help: 'Time from adding a job to its start.',
    labelNames: jobLabels,
    buckets: secondsBuckets,
  });
  const durations = metrics.histogram({
    name: 'eas_job_seconds',
    help: 'Run time of a job.',
    labelNames: jobLabels,
    buckets: secondsBuckets,
  });
  const consumed = metrics.counter({
    name: 'eas_events_consumed_total',
    help: 'Events handled by consumers: done, postponed after an error, dead.',
    labelNames: ['consumer', 'outcome'],
  });
  const relayed = metrics.counter({
    name: 'eas_events_relayed_total',
    help: 'Outbox rows sent to queues, for the first time or again.',
    labelNames: ['consumer', 'kind'],
  });
  metrics.gauge({
    name: 'eas_queue_jobs',
    help: 'Jobs in the queue store.',
    labelNames: ['queue', 'state'],
    async collect() {
      for (const [queue, states] of Object.entries(await depths().catch(() => ({})))) {
        for (const [state, count] of Object.entries(states)) this.set({ queue, state }, count);
      }
    },
  });
  return {
    jobEnded(queue, job, outcome, waitMs, tookMs) {
      jobs.inc({ queue, job, outcome });
      waits.observe({ queue, job }, waitMs / 1_000);
      durations.observe({ queue, job }, tookMs / 1_000);
    },
    jobStalled: (queue) => stalled.inc({ queue }),
    eventsConsumed: (consumer, outcome, count) => consumed.inc({ consumer, outcome }, count),
    eventsRelayed: (consumer, kind, count) => relayed.inc({ consumer, kind }, count),
  };
}

export type QueueDepths = Record<string, Record<'waiting' | 'active' | 'delayed' | 'failed', number>>;

/** Counts nothing: for tests and tools. */
export const noQueueMetrics: QueueMetrics = {
  jobEnded() {},
  jobStalled() {},
  eventsConsumed() {},
  eventsRelayed() {},
};
