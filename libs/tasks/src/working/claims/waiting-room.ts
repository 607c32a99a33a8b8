import { createShares, inShares, sleepUntilWoken } from '@eas/core';
import { type Listener, tooManyWaiting } from '@eas/db';
import { createSeating, type Kind, type Wants } from './seating.ts';
import type { Sightings } from '../../records/agents/sightings.ts';
import { isMeant, readWorkKey, type Waiter, type Wake } from '../../records/tasks/work-key.ts';

export type Seat = {
  /** Call it before looking: wake-ups are counted from here. True: a wake-up led to this poll. */
  startPoll(): boolean;
  /** Resolves when it is woken, after `ms`, when the signal aborts or the room closes, whichever comes first. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
  /** Leaves. A wake-up after which it has not looked in vain goes to the next two of its kind that it means. */
  leave(hasWake: boolean): void;
};

/**
 * Claims waiting in this process. A waiting claim holds no database connection. New tasks wake one waiting claim of each
 * kind, and who finds work wakes the next two: a thousand that wait cost what one costs, and a thousand tasks that come
 * at once find them all in ten rounds.
 */
export type WaitingRoom = {
  /**
   * Throws 409 `limit` when too many claims of the tenant wait already. isFull: the agent waits for a slot of its own,
   * and no task wakes it.
   */
  enter(waiter: Waiter & Wants & { isFull: boolean }): Seat;
  /** Aborts when the process shuts down: waiting callers get an empty response. */
  closing: AbortSignal;
  /** Who claims is seen, and who waits all the while. */
  sightings: Pick<Sightings, 'record' | 'startWaiting'>;
  /** Called with each new claim: for how long its task could have been claimed, in ms. For metrics. */
  onClaimed?: (waitedMs: number) => void;
};

/** Claims that may wait in this process; of all slots each tenant gets its share. */
export type WaitingLimits = { perTenant?: number; perProcess?: number };
export type WaitingRoomOptions = WaitingLimits & Pick<WaitingRoom, 'onClaimed'>;

/** `wokenBy`: since it looked last; `pollsFor`: what led to that poll. */
type Sleeper = { waiter: Waiter; wokenBy: Wake | undefined; pollsFor: Wake | undefined; wake(): void };

export function createWaitingRoom(
  listener: Listener,
  closing: AbortSignal,
  sightings: WaitingRoom['sightings'],
  { perTenant = 2_000, perProcess = 10_000, onClaimed }: WaitingRoomOptions = {},
): WaitingRoom {
  const slots = createShares(perProcess, perTenant);
  const openSeating = (channel: 'work' | 'slot') => {
    const seating = createSeating<Sleeper>();
    closing.addEventListener('abort', () => {
      for (const sleeper of seating.all()) sleeper.wake();
    });
    listener.on(channel, (key) => {
      if (key === '') return inShares(seating.all(), (sleeper) => wake(sleeper, anything(sleeper)));
      const meaning = readWorkKey(key);
      for (const kind of seating.meantBy(meaning)) wakeNext(kind, meaning);
    });
    return seating;
  };
  const forWork = openSeating('work');
  const forSlots = openSeating('slot');
  return {
    closing,
    sightings,
    onClaimed: (waitedMs) => onClaimed?.(waitedMs),
    enter({ capabilities, projects, isFull, ...waiter }) {
      const leaveSlot = slots.tryTake(waiter.tenantId);
      if (!leaveSlot) throw tooManyWaiting('have another waiting claim', perTenant);
      const sleeper: Sleeper = { waiter, wokenBy: undefined, pollsFor: undefined, wake() {} };
      const { kind, stand } = (isFull ? forSlots : forWork).sit(sleeper, { capabilities, projects });
      // Plans are made first for those who wait for work.
      const agent = { tenantId: waiter.tenantId, id: waiter.agentId };
      const endSighting = isFull ? () => {} : sightings.startWaiting(agent);
      return {
        startPoll() {
          sleeper.pollsFor = sleeper.wokenBy;
          sleeper.wokenBy = undefined;
          return sleeper.pollsFor !== undefined;
        },
        rest: async (ms, signal) => {
          if (!sleeper.wokenBy) await sleepUntilWoken(sleeper, ms, signal);
        },
        leave(hasWake) {
          leaveSlot();
          endSighting();
          stand();
          const passedOn = sleeper.wokenBy ?? (hasWake ? sleeper.pollsFor : undefined);
          if (!passedOn) return;
          wakeNext(kind, passedOn);
          wakeNext(kind, passedOn);
        },
      };
    },
  };
}

/** The first of the kind that the wake-up means and that is not awake yet. */
function wakeNext(kind: Kind<Sleeper>, meaning: Wake): void {
  for (const sleeper of kind) if (!sleeper.wokenBy && isMeant(meaning, sleeper.waiter)) return wake(sleeper, meaning);
}

function wake(sleeper: Sleeper, meaning: Wake): void {
  sleeper.wokenBy = meaning;
  sleeper.wake();
}

/** Some wake-up was missed: it may have meant any of the role. */
function anything({ waiter: { tenantId, role } }: Sleeper): Wake {
  return { tenantId, meant: role, except: [] };
}
