import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by analytics-aggregator. */
export const analyticsQueue = defineQueue('analytics', {
  'facts.record': eventConsumerJob,
});
