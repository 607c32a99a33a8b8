import { createRounds } from './rounds.ts';
import { createShares, type Leave } from './shares.ts';

export type FairSlots = {
  /**
   * Waits for a slot; release it after the work. Undefined: the signal aborted, or too many callers of the key wait.
   */
  enter(key: string, signal?: AbortSignal): Promise<Leave | undefined>;
};

/** `slots` run at a time, `maxWaiting` may wait; of both, each key gets its share (see createShares). */
export type FairSlotsOptions = { slots: number; maxWaiting: number };

type Waiter = { start(leave: Leave): void };

/** Concurrency slots that keys take in turns, so that no key waits behind another key's queue. */
export function createFairSlots({ slots, maxWaiting }: FairSlotsOptions): FairSlots {
  const running = createShares(slots);
  const queued = createShares(maxWaiting);
  const waiting = createRounds<Waiter>();

  const leaving = (leave: Leave) => () => {
    leave();
    startNext();
  };

  function startNext(): void {
    let leave: Leave | undefined;
    const mayStart = (key: string) => (leave = running.tryTake(key)) !== undefined;
    for (let next = waiting.take(mayStart); next && leave; next = waiting.take(mayStart)) next.start(leaving(leave));
  }

  function wait(key: string, leaveQueue: Leave, signal: AbortSignal | undefined): Promise<Leave | undefined> {
    const { promise, resolve } = Promise.withResolvers<Leave | undefined>();
    const end = (leave: Leave | undefined) => {
      leaveQueue();
      signal?.removeEventListener('abort', giveUp);
      resolve(leave);
    };
    const waiter: Waiter = { start: end };
    const giveUp = () => {
      waiting.remove(key, waiter);
      end(undefined);
    };
    waiting.add(key, waiter);
    signal?.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  return {
    async enter(key, signal) {
      if (signal?.aborted) return undefined;
      const leave = waiting.has(key) ? undefined : running.tryTake(key);
      if (leave) return leaving(leave);
      const leaveQueue = queued.tryTake(key);
      return leaveQueue && wait(key, leaveQueue, signal);
    },
  };
}
