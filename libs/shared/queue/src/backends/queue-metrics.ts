import type { Metrics } from '@eas/runtime';

export type QueueMetrics = {
  jobEnded(queue: string, job: string, outcome: 'completed' | 'failed', waitMs: number, tookMs: number): void;
  jobStalled(queue: string): void;
  eventsConsumed(consumer: string, outcome: 'done' | 'postponed' | 'dead', count: number): void;
};

/** Registers the metrics of a worker process. Once per registry. */
export function createQueueMetrics(metrics: Metrics): QueueMetrics {
  const jobs = metrics.counter('eas_jobs_total');
  const stalled = metrics.counter('eas_jobs_stalled_total');
  const waits = metrics.histogram('eas_job_wait_seconds');
  const durations = metrics.histogram('eas_job_seconds');
  const consumed = metrics.counter('eas_events_consumed_total');
  return {
    jobEnded(queue, job, outcome, waitMs, tookMs) {
      jobs.inc({ queue, job, outcome });
      waits.observe({ queue, job }, waitMs / 1_000);
      durations.observe({ queue, job }, tookMs / 1_000);
    },
    jobStalled: (queue) => stalled.inc({ queue }),
    eventsConsumed: (consumer, outcome, count) => consumed.inc({ consumer, outcome }, count),
  };
}

export type QueueDepths = Record<string, Record<'waiting' | 'active' | 'delayed' | 'failed', number>>;

/** Counts nothing: for tests and tools. */
export const noQueueMetrics: QueueMetrics = {
  jobEnded() {},
  jobStalled() {},
  eventsConsumed() {},
};
