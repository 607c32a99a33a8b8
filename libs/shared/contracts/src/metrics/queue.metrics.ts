import { queues } from '../jobs/catalogue.ts';
import { defineMetrics, workerApps } from './metric.ts';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60];
const orchestrator = ['workflow-orchestrator'] as const;

export const queueMetrics = defineMetrics({
  eas_queue_jobs: {
    type: 'gauge',
    help: 'Jobs in the queue store by state: waiting, active, delayed, failed.',
    labels: ['queue', 'state'],
    apps: orchestrator,
    isShared: true,
  },
  eas_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest waiting job; 0 when none waits.',
    labels: ['queue'],
    apps: orchestrator,
    isShared: true,
  },
  eas_jobs_total: {
    type: 'counter',
    help: 'Finished jobs by outcome: completed, failed.',
    labels: ['queue', 'job', 'outcome'],
    apps: workerApps,
  },
  eas_jobs_stalled_total: {
    type: 'counter',
    help: 'Jobs whose worker was lost.',
    labels: ['queue'],
    values: Object.keys(queues),
    apps: workerApps,
  },
  eas_job_wait_seconds: {
    type: 'histogram',
    help: 'Time from adding a job to its start.',
    labels: ['queue', 'job'],
    buckets: secondsBuckets,
    apps: workerApps,
  },
  eas_job_seconds: {
    type: 'histogram',
    help: 'Run time of a job.',
    labels: ['queue', 'job'],
    buckets: secondsBuckets,
    apps: workerApps,
  },
  eas_events_consumed_total: {
    type: 'counter',
    help: 'Events handled by consumers: done, postponed after an error, dead.',
    labels: ['consumer', 'outcome'],
    apps: workerApps,
  },
  eas_events_relayed_total: {
    type: 'counter',
    help: 'Outbox rows sent to queues, for the first time or again.',
    labels: ['consumer', 'kind'],
    apps: orchestrator,
  },
  eas_relay_lag_seconds: {
    type: 'histogram',
    help: 'Time from when an outbox row is due to when the relay takes it to its queue.',
    labels: ['consumer'],
    buckets: secondsBuckets,
    apps: orchestrator,
  },
  eas_outbox_dead_rows: {
    type: 'gauge',
    help: 'Events that a consumer gave up on, counted up to 10,000.',
    apps: orchestrator,
    isShared: true,
  },
  eas_outbox_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest outbox row: unsent (due, not yet in a queue) or sent (in a queue, not yet consumed, since it was first sent).',
    labels: ['state'],
    apps: orchestrator,
    isShared: true,
  },
});
