import { createShares, inShares, sleepUntilWoken } from '@eas/core';
import { type Listener, tooManyWaiting } from '@eas/db';
import { createWaiterIndex, type Kind, type Wants } from './waiter-index.ts';
import type { Sightings } from '../../records/agents/sightings.ts';
import { isMeant, readWorkKey, type Waiter, type Wake } from '../../records/tasks/work-key.ts';

export type WaitingClaim = {
  /** Call it before each poll: wake-ups are counted from here. True: a wake-up led to this poll. */
  startPoll(): boolean;
  /** Resolves when it is woken, after `ms`, when the signal aborts or the process shuts down, whichever comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Stops waiting. A wake-up whose poll may have found work is passed to the next two matching waiters of its kind. */
  leave(hasWake: boolean): void;
};

/**
 * Claims waiting in this process. A waiting claim holds no database connection. A new task wakes one waiting claim of
 * each kind, and a claim that finds work wakes the next two: a thousand waiters cost no more than one, and a thousand
 * new tasks reach them all in ten rounds.
 */
export type WaitingClaims = {
  /**
   * Throws 409 `limit` when too many claims of the tenant wait already. isFull: the agent waits for a slot of its own,
   * and no task wakes it.
   */
  enter(waiter: Waiter & Wants & { isFull: boolean }): WaitingClaim;
  /** Aborts when the process shuts down: waiting callers get an empty response. */
  closing: AbortSignal;
  /** An agent that claims is recorded as seen, and one that waits is seen until it stops waiting. */
  sightings: Pick<Sightings, 'record' | 'startWaiting'>;
  /** Called for each new claim with how long its task could have been claimed, in ms. For metrics. */
  onClaimed?: (waitedMs: number) => void;
};

/** Maximum number of claims that wait in this process; each tenant gets its share of the slots. */
export type WaitingLimits = { perTenant?: number; perProcess?: number };
export type WaitingClaimsOptions = WaitingLimits & Pick<WaitingClaims, 'onClaimed'>;

/** `wokenBy`: the wake-up since its last poll; `pollsFor`: the one that led to that poll. */
type Sleeper = { waiter: Waiter; wokenBy: Wake | undefined; pollsFor: Wake | undefined; wake(): void };

export function createWaitingClaims(
  listener: Listener,
  closing: AbortSignal,
  sightings: WaitingClaims['sightings'],
  { perTenant = 2_000, perProcess = 10_000, onClaimed }: WaitingClaimsOptions = {},
): WaitingClaims {
  const slots = createShares(perProcess, perTenant);
  const openIndex = (channel: 'work' | 'slot') => {
    const index = createWaiterIndex<Sleeper>();
    closing.addEventListener('abort', () => {
      for (const sleeper of index.all()) sleeper.wake();
    });
    listener.on(channel, (key) => {
      if (key === '') return inShares(index.all(), (sleeper) => wake(sleeper, anything(sleeper)));
      const meaning = readWorkKey(key);
      for (const kind of index.meantBy(meaning)) wakeNext(kind, meaning);
    });
    return index;
  };
  const forWork = openIndex('work');
  const forSlots = openIndex('slot');
  return {
    closing,
    sightings,
    onClaimed: (waitedMs) => onClaimed?.(waitedMs),
    enter({ capabilities, projects, isFull, ...waiter }) {
      const leaveSlot = slots.tryTake(waiter.tenantId);
      if (!leaveSlot) throw tooManyWaiting('have another waiting claim', perTenant);
      const sleeper: Sleeper = { waiter, wokenBy: undefined, pollsFor: undefined, wake() {} };
      const { kind, remove } = (isFull ? forSlots : forWork).add(sleeper, { capabilities, projects });
      // Tasks are planned first for agents that wait for work.
      const agent = { tenantId: waiter.tenantId, id: waiter.agentId };
      const endSighting = isFull ? () => {} : sightings.startWaiting(agent);
      return {
        startPoll() {
          sleeper.pollsFor = sleeper.wokenBy;
          sleeper.wokenBy = undefined;
          return sleeper.pollsFor !== undefined;
        },
        sleep: async (ms, signal) => {
          if (!sleeper.wokenBy) await sleepUntilWoken(sleeper, ms, signal);
        },
        leave(hasWake) {
          leaveSlot();
          endSighting();
          remove();
          const passedOn = sleeper.wokenBy ?? (hasWake ? sleeper.pollsFor : undefined);
          if (!passedOn) return;
          wakeNext(kind, passedOn);
          wakeNext(kind, passedOn);
        },
      };
    },
  };
}

/** Wakes the first matching waiter of the kind that is not awake yet. */
function wakeNext(kind: Kind<Sleeper>, meaning: Wake): void {
  for (const sleeper of kind) if (!sleeper.wokenBy && isMeant(meaning, sleeper.waiter)) return wake(sleeper, meaning);
}

function wake(sleeper: Sleeper, meaning: Wake): void {
  sleeper.wokenBy = meaning;
  sleeper.wake();
}

/** A wake-up was missed: it may have been for any waiter of the role. */
function anything({ waiter: { tenantId, role } }: Sleeper): Wake {
  return { tenantId, meant: role, except: [] };
}
