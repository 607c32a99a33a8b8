import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by analytics-aggregator. */
export const analyticsQueue = defineQueue('analytics', {
  // Within the 2 s after which an event must be visible, and with few transactions under any load.
  'facts.record': { ...eventConsumerJob, gatheredMs: 500 },
  /** Adds up what calls to models used. */
  'usage.record': { ...eventConsumerJob, gatheredMs: 500 },
});
