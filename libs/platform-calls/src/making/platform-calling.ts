import type { Logger } from '@eas/core';
import type { Database, UseCaseContext } from '@eas/db';
import { slowMs as usualSlowMs } from '@eas/outbound';
import { takeCall, type TakenCall } from '../calls/platform-call.sweeper.ts';
import { type CallReport, makeCall } from './make-call.ts';
import type { Targets } from './target.ts';

export type PlatformCallingParts = {
  database: Database;
  contextOf(tenantId: string): UseCaseContext;
  targets: Targets;
  logger: Logger;
  onCall?(report: CallReport): void;
  /** How long a call has a slot; one that takes longer is slow. */
  slowMs?: number;
};

export type PlatformCalling = {
  /** Starts what is due, as far as there are slots. Resolves when nothing more can be started; calls go on. */
  sweep(): Promise<void>;
  /** Resolves when the calls in hand have ended. */
  drain(): Promise<void>;
};

/** Calls of a process that are not slow yet, and all calls of one tenant. Of an integration there is one at a time, in all processes. */
const slots = 16;
/** Calls to integrations whose last one was slow start only while fewer slots than these are taken. */
const slotsForSlow = 8;
const callsOfTenant = 4;

/** Calls of a process at a time, at most: those in slots, and slow ones that have left theirs. */
export const mostPlatformCalls = (deadlineMs: number): number => slots * Math.ceil(deadlineMs / usualSlowMs);

/**
 * Makes calls side by side. A call that hangs gives its slot to others after `slowMs` and goes on
 * without; the next one of its integration comes after those of integrations that respond.
 */
export function createPlatformCalling(parts: PlatformCallingParts): PlatformCalling {
  const { database, contextOf, targets, logger, onCall, slowMs = usualSlowMs } = parts;
  const running = new Map<string, Set<Promise<void>>>();
  const inSlots = new Set<TakenCall>();

  function start(call: TakenCall): void {
    const { tenantId, integrationId, kind } = call;
    const own = running.get(tenantId) ?? new Set();
    running.set(tenantId, own);
    inSlots.add(call);
    const timer = setTimeout(() => inSlots.delete(call), slowMs);
    const work = makeCall(contextOf(tenantId), call, { targets, slowMs })
      .then((report) => onCall?.(report))
      .catch((error: unknown) => {
        // Its lease ends by itself, and it is made again.
        logger.error({ err: error, tenantId, integrationId, kind }, 'platform call could not be settled');
        onCall?.({ kind, outcome: 'error' });
      })
      .finally(() => {
        clearTimeout(timer);
        inSlots.delete(call);
        own.delete(work);
        if (own.size === 0) running.delete(tenantId);
      });
    own.add(work);
  }

  /** Tenants with fewer calls in hand go first. */
  async function takeInTurns(isSlow: boolean): Promise<TakenCall | null | undefined> {
    for (let most = 1; most <= callsOfTenant; most += 1) {
      const busyTenants = [...running].filter(([, calls]) => calls.size >= most).map(([tenantId]) => tenantId);
      const call = await database.inTransaction('', (tx) => takeCall(tx, { busyTenants, isSlow }));
      if (call !== undefined || busyTenants.length === 0) return call;
    }
    return undefined;
  }

  async function takeNext(): Promise<TakenCall | null | undefined> {
    const call = await takeInTurns(false);
    return call === undefined && inSlots.size < slotsForSlow ? takeInTurns(true) : call;
  }

  return {
    async sweep() {
      // Integrations that have to wait are looked at once each.
      for (let looks = 0; looks < 200 && inSlots.size < slots; looks += 1) {
        const call = await takeNext();
        if (call === undefined) return;
        if (call) start(call);
      }
    },
    async drain() {
      await Promise.all([...running.values()].flatMap((calls) => [...calls]));
    },
  };
}
