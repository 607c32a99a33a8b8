import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by analytics-aggregator. */
export const analyticsQueue = defineQueue('analytics', {
  /** Reads what tasks have become. Half a second after the first of them, within the 2 s that it may take. */
  'facts.follow': { ...eventConsumerJob, gatheredMs: 500, follows: { leavesTo: 'facts.record' } },
  /** Single events: what is counted one by one, and what could not be read with others. */
  'facts.record': { ...eventConsumerJob, gatheredMs: 500 },
  /** Adds up what calls to models used. */
  'usage.record': { ...eventConsumerJob, gatheredMs: 500 },
});
