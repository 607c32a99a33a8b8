import { maxEventsPerJob, type OutboxConsumer } from '@eas/contracts';
import type { Backlog } from './outbox.sweeper.ts';

/**
 * Rows of one backlog in a round of the relay: alone with its consumer, with others, and while its queue has little
 * capacity.
 */
const aloneRows = maxEventsPerJob;
const sharedRows = 100;
const fewRows = 10;
/** Rows of all backlogs together, except that each gets `fewRows`. */
const roundRows = 4_000;

/**
 * From this number of waiting jobs on only short backlogs are sent: long ones, in jobs of a few rows, would keep the
 * queue full.
 */
const busyQueueJobs = 8;
/** After this time, in ms, a long backlog gets its share anyway. */
const patienceMs = 250;
/** From this number of waiting jobs on nothing is sent: the workers are probably gone. */
const fullQueueJobs = 500;

export type Capacity = 'plenty' | 'little' | 'none';

export function capacityBehind(waitingJobs: number): Capacity {
  if (waitingJobs >= fullQueueJobs) return 'none';
  return waitingJobs >= busyQueueJobs ? 'little' : 'plenty';
}

export function maxCapacity(capacities: readonly Capacity[]): Capacity {
  return (['plenty', 'little'] as const).find((capacity) => capacities.includes(capacity)) ?? 'none';
}

/**
 * How many rows of each backlog go into the queues in a round, in their order. A tenant with a long backlog gets as
 * much as others and waits in the outbox, not in the queue in front of them, since queues are processed in order.
 * `waitedMs`: how long a backlog that had more than its quota has got nothing; undefined for others.
 */
export function quotasOf<B extends Pick<Backlog, 'consumer'>>(
  backlogs: readonly B[],
  capacityOf: (consumer: OutboxConsumer) => Capacity,
  waitedMs: (backlog: B) => number | undefined,
): number[] {
  const tenants = new Map<OutboxConsumer, number>();
  for (const { consumer } of backlogs) tenants.set(consumer, (tenants.get(consumer) ?? 0) + 1);
  const share = Math.max(fewRows, Math.floor(roundRows / Math.max(1, backlogs.length)));
  return backlogs.map((backlog) => {
    const capacity = capacityOf(backlog.consumer);
    if (capacity === 'none') return 0;
    const waited = waitedMs(backlog);
    if (capacity === 'little') {
      if (waited === undefined) return fewRows;
      if (waited < patienceMs) return 0;
    }
    return Math.min(share, tenants.get(backlog.consumer) === 1 ? aloneRows : sharedRows);
  });
}
