import { AppError, createShares, inShares, sleepUntilWoken } from '@eas/core';
import type { Listener } from '@eas/db';

export type EventSeat = {
  /** Resolves when the tenant's events may have grown, after `ms`, or when the signal or the process ends. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
};

/** Requests of this process that wait for events. They hold no database connection. */
export type EventWaits = {
  /** Throws 409 `limit` when too many of the tenant wait already. */
  enter(tenantId: string): EventSeat;
  /** Aborts when the process shuts down. */
  closing: AbortSignal;
};

export type EventWaitLimits = { perTenant?: number; perProcess?: number };

/** A busy tenant's wake-ups are gathered for that long. */
const gatherMs = 50;

type Sleeper = { isWoken: boolean; wake(): void };

export function createEventWaits(
  listener: Listener,
  closing: AbortSignal,
  { perTenant = 200, perProcess = 1_000 }: EventWaitLimits = {},
): EventWaits {
  const seats = createShares(perProcess, perTenant);
  const ofTenants = new Map<string, Set<Sleeper>>();
  listener.on('stream', (key) => {
    const woken = key === '' ? [...ofTenants.values()] : [ofTenants.get(key) ?? []];
    const sleepers = woken.flatMap((ofTenant) => [...ofTenant]);
    inShares(sleepers, (sleeper) => {
      sleeper.isWoken = true;
      sleeper.wake();
    });
  });
  return {
    closing,
    enter(tenantId) {
      const leaveShare = seats.tryTake(tenantId);
      if (!leaveShare) throw tooManyWaiting(perTenant);
      const sleeper: Sleeper = { isWoken: false, wake() {} };
      const sleepers = ofTenants.get(tenantId) ?? new Set();
      ofTenants.set(tenantId, sleepers.add(sleeper));
      return {
        rest: (ms, signal) => rest(sleeper, ms, AbortSignal.any([signal, closing])),
        leave() {
          leaveShare();
          sleepers.delete(sleeper);
          if (sleepers.size === 0) ofTenants.delete(tenantId);
        },
      };
    },
  };
}

async function rest(sleeper: Sleeper, ms: number, signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + ms;
  if (!sleeper.isWoken) await sleepUntilWoken(sleeper, ms, signal);
  if (!sleeper.isWoken) return;
  await sleepUntilWoken({ wake() {} }, Math.min(gatherMs, Math.max(0, endsAt - performance.now())), signal);
  sleeper.isWoken = false;
}

function tooManyWaiting(most: number): AppError {
  const message = `The tenant cannot wait for events with another request now (limit: ${most}). Try again later.`;
  return new AppError('conflict', {
    field: 'wait_seconds',
    constraint: 'limit',
    message,
    headers: { 'Retry-After': '10' },
  });
}
