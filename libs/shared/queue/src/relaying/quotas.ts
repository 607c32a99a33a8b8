import { type Consumer, maxEventsPerJob } from '@eas/contracts';
import type { Backlog } from './outbox.sweeper.ts';

/** Rows of one backlog in a round of the relay: alone with its consumer, beside others, and while its queue has little room. */
const aloneRows = maxEventsPerJob;
const besideRows = 100;
const fewRows = 10;
/** Of all backlogs together, as long as each gets `fewRows`. */
const roundRows = 4_000;

/** Behind so many jobs waiting goes what is short. A long backlog waits, as jobs of a few rows would keep the queue full. */
const littleRoomJobs = 8;
/** After that time, in ms, it gets its share behind whatever waits. */
const patienceMs = 250;
/** One whose workers are away gets nothing more. */
const noRoomJobs = 500;

export type Room = 'plenty' | 'little' | 'none';

export function roomBehind(waitingJobs: number): Room {
  if (waitingJobs >= noRoomJobs) return 'none';
  return waitingJobs >= littleRoomJobs ? 'little' : 'plenty';
}

export function mostRoom(rooms: readonly Room[]): Room {
  return (['plenty', 'little'] as const).find((room) => rooms.includes(room)) ?? 'none';
}

/**
 * How many rows of each backlog go into the queues in a round, in their order. A tenant with a long backlog gets as much
 * as others, and waits in the outbox, not in the queue in front of them: what is in a queue is worked in its order.
 * `waitedMs`: how long a backlog that had more than its quota has got nothing; undefined for others.
 */
export function quotasOf<B extends Pick<Backlog, 'consumer'>>(
  backlogs: readonly B[],
  roomOf: (consumer: Consumer) => Room,
  waitedMs: (backlog: B) => number | undefined,
): number[] {
  const tenants = new Map<Consumer, number>();
  for (const { consumer } of backlogs) tenants.set(consumer, (tenants.get(consumer) ?? 0) + 1);
  const share = Math.max(fewRows, Math.floor(roundRows / Math.max(1, backlogs.length)));
  return backlogs.map((backlog) => {
    const room = roomOf(backlog.consumer);
    if (room === 'none') return 0;
    const waited = waitedMs(backlog);
    if (room === 'little') {
      if (waited === undefined) return fewRows;
      if (waited < patienceMs) return 0;
    }
    return Math.min(share, tenants.get(backlog.consumer) === 1 ? aloneRows : besideRows);
  });
}
