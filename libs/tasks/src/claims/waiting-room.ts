import { AppError, createShares } from '@eas/core';
import type { Listener } from '@eas/db';
import type { Sightings } from '../agents/sightings.ts';
import { meaningOf, type Waiter } from './work-key.ts';

/** The place of one waiting claim. */
export type Seat = {
  /** Call it before looking: wake-ups count anew. True: a wake-up led to this look. */
  startLook(): boolean;
  /** Resolves when it is woken, after `ms`, when the signal aborts or the room closes, whichever comes first. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
  /** Leaves. A wake-up after which it has not looked in vain goes to the next two of its kind. */
  leave(hasWake: boolean): void;
};

/**
 * Claims waiting in this process. A waiting claim holds no database connection. New tasks wake one waiting claim of each
 * kind, and who finds work wakes the next two: a thousand that wait cost what one costs, and a thousand tasks that come
 * at once find them all in ten rounds.
 */
export type WaitingRoom = {
  /** Throws 409 `limit` when too many claims of the tenant wait already. */
  enter(waiter: Omit<Waiter, 'kind'> & { capabilities: readonly string[] }): Seat;
  /** Aborts when the process shuts down: whoever waits is sent away. */
  closing: AbortSignal;
  /** Who claims is seen, and who waits all the while. */
  sightings: Pick<Sightings, 'note' | 'startWaiting'>;
};

/** Claims that may wait in this process; of all places each tenant gets its share. */
export type WaitingLimits = { perTenant?: number; perProcess?: number };

type Sleeper = { waiter: Waiter; isWoken: boolean; wake(): void };

export function createWaitingRoom(
  listener: Listener,
  closing: AbortSignal,
  sightings: WaitingRoom['sightings'],
  { perTenant = 2_000, perProcess = 10_000 }: WaitingLimits = {},
): WaitingRoom {
  const places = createShares(perProcess, perTenant);
  const kinds = new Map<string, Set<Sleeper>>();
  const wake = (sleeper: Sleeper) => {
    sleeper.isWoken = true;
    sleeper.wake();
  };
  /** Who waits longest and is not awake yet. */
  const wakeNext = (kind: string) => {
    for (const sleeper of kinds.get(kind) ?? []) if (!sleeper.isWoken) return wake(sleeper);
  };
  closing.addEventListener('abort', () => {
    for (const sleepers of kinds.values()) for (const sleeper of sleepers) sleeper.wake();
  });
  listener.on('work', (key) => {
    for (const [kind, sleepers] of kinds) wakeMeant(key, sleepers, wake, () => wakeNext(kind));
  });
  return {
    closing,
    sightings,
    enter({ capabilities, ...waiter }) {
      const leavePlace = places.tryTake(waiter.tenantId);
      if (!leavePlace) throw tooManyWaiting(perTenant);
      const kind = JSON.stringify([waiter.tenantId, waiter.role, capabilities.toSorted()]);
      const sleeper: Sleeper = { waiter: { ...waiter, kind }, isWoken: false, wake() {} };
      const sleepers = kinds.get(kind) ?? new Set();
      kinds.set(kind, sleepers.add(sleeper));
      const endSighting = sightings.startWaiting({ tenantId: waiter.tenantId, id: waiter.agentId });
      return {
        startLook() {
          const wasWoken = sleeper.isWoken;
          sleeper.isWoken = false;
          return wasWoken;
        },
        rest: (ms, signal) => rest(sleeper, ms, signal),
        leave(hasWake) {
          leavePlace();
          endSighting();
          sleepers.delete(sleeper);
          if (sleepers.size === 0) kinds.delete(kind);
          if (!hasWake && !sleeper.isWoken) return;
          wakeNext(kind);
          wakeNext(kind);
        },
      };
    },
  };
}

function tooManyWaiting(most: number): AppError {
  const message = `The tenant has its share of waiting claims (at most ${most}); try again later.`;
  return new AppError('conflict', {
    field: 'wait_seconds',
    constraint: 'limit',
    message,
    headers: { 'Retry-After': '10' },
  });
}

function wakeMeant(key: string, sleepers: Iterable<Sleeper>, wake: (sleeper: Sleeper) => void, wakeOne: () => void) {
  let isOneDue = false;
  for (const sleeper of [...sleepers]) {
    const meaning = meaningOf(key, sleeper.waiter);
    if (meaning === 'each') wake(sleeper);
    if (meaning === 'one_of_kind') isOneDue = true;
  }
  if (isOneDue) wakeOne();
}

async function rest(sleeper: Sleeper, ms: number, signal: AbortSignal): Promise<void> {
  if (sleeper.isWoken || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  sleeper.wake = end;
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  sleeper.wake = () => {};
}
