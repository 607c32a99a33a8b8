import { AppError, createShares, inShares, sleepUntilWoken } from '@eas/core';
import type { Listener } from './notify.ts';

export type ChangeWait = {
  /** Resolves when there may be a change, after `ms`, or when the signal or the process ends. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
};

/** Requests of this process that wait for a change. They hold no database connection. */
export type ChangeWaits = {
  /** `key`: of the channel `stream`, a tenant or a task. Throws 409 `limit` when too many of the tenant wait already. */
  enter(tenantId: string, key?: string): ChangeWait;
  /** Aborts when the process shuts down. */
  closing: AbortSignal;
};

export type ChangeWaitLimits = { perTenant?: number; perProcess?: number };

/** The wake-ups of a busy key are batched for this time. */
const gatherMs = 50;

type Sleeper = { isWoken: boolean; wake(): void };

export function createChangeWaits(
  listener: Listener,
  closing: AbortSignal,
  { perTenant = 200, perProcess = 1_000 }: ChangeWaitLimits = {},
): ChangeWaits {
  const shares = createShares(perProcess, perTenant);
  const byKey = new Map<string, Set<Sleeper>>();
  listener.on('stream', (key) => {
    const woken = key === '' ? [...byKey.values()] : [byKey.get(key) ?? []];
    const sleepers = woken.flatMap((ofKey) => [...ofKey]);
    inShares(sleepers, (sleeper) => {
      sleeper.isWoken = true;
      sleeper.wake();
    });
  });
  return {
    closing,
    enter(tenantId, key = tenantId) {
      const leaveShare = shares.tryTake(tenantId);
      if (!leaveShare) throw tooManyWaiting('wait with another request', perTenant);
      const sleeper: Sleeper = { isWoken: false, wake() {} };
      const sleepers = byKey.get(key) ?? new Set();
      byKey.set(key, sleepers.add(sleeper));
      return {
        sleep: (ms, signal) => sleep(sleeper, ms, AbortSignal.any([signal, closing])),
        leave() {
          leaveShare();
          sleepers.delete(sleeper);
          if (sleepers.size === 0) byKey.delete(key);
        },
      };
    },
  };
}

async function sleep(sleeper: Sleeper, ms: number, signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + ms;
  if (!sleeper.isWoken) await sleepUntilWoken(sleeper, ms, signal);
  if (!sleeper.isWoken) return;
  await sleepUntilWoken({ wake() {} }, Math.min(gatherMs, Math.max(0, endsAt - performance.now())), signal);
  sleeper.isWoken = false;
}

/** 409 `limit`: `what` the tenant cannot do now, because too many of its requests wait already. */
export function tooManyWaiting(what: string, most: number): AppError {
  const message = `The tenant cannot ${what} now (limit: ${most}). Try again later.`;
  return new AppError('conflict', {
    field: 'wait_seconds',
    constraint: 'limit',
    message,
    headers: { 'Retry-After': '10' },
  });
}
