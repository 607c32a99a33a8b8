import { type Consumer, maxEventsPerJob } from '@eas/contracts';
import type { Backlog } from './outbox.sweeper.ts';

/** Rows of one backlog in a round of the relay: alone with its consumer, beside others, and while its queue has little room. */
const aloneRows = maxEventsPerJob;
const besideRows = 100;
const fewRows = 10;
/** Of all backlogs together, as long as each gets `fewRows`. */
const roundRows = 4_000;

/** A queue with so many jobs waiting gets little of each tenant: enough to work on, and a short way for what comes next. */
const littleRoomJobs = 8;
/** One whose workers are away gets nothing more. */
const noRoomJobs = 500;

export type Room = 'plenty' | 'little' | 'none';

export function roomBehind(waitingJobs: number): Room {
  if (waitingJobs >= noRoomJobs) return 'none';
  return waitingJobs >= littleRoomJobs ? 'little' : 'plenty';
}

/**
 * How many rows of each backlog go into the queues in a round, in their order. A tenant with a long backlog gets as much
 * as others, and waits in the outbox, not in the queue in front of them: what is in a queue is worked in its order.
 */
export function quotasOf(
  backlogs: readonly Pick<Backlog, 'consumer'>[],
  roomOf: (consumer: Consumer) => Room,
): number[] {
  const tenants = new Map<Consumer, number>();
  for (const { consumer } of backlogs) tenants.set(consumer, (tenants.get(consumer) ?? 0) + 1);
  const share = Math.max(fewRows, Math.floor(roundRows / Math.max(1, backlogs.length)));
  return backlogs.map(({ consumer }) => {
    const most = tenants.get(consumer) === 1 ? aloneRows : besideRows;
    return { plenty: Math.min(share, most), little: fewRows, none: 0 }[roomOf(consumer)];
  });
}
