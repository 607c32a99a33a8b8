import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by analytics-aggregator. */
export const analyticsQueue = defineQueue('analytics', {
  /** Records the facts of task events once and rolls them up. */
  'facts.record': eventConsumerJob,
});
