import type { Logger } from '@eas/core';
import type { Database, UseCaseContext } from '@eas/db';
import { takeCall, type TakenCall } from '../calls/platform-call.sweeper.ts';
import type { OpenPlatform } from '../platform-api/platform-client.ts';
import { type CallReport, makeCall } from './make-call.ts';

export type PlatformCallingParts = {
  database: Database;
  contextOf(tenantId: string): UseCaseContext;
  openPlatform: OpenPlatform;
  logger: Logger;
  onCall?(report: CallReport): void;
};

export type PlatformCalling = {
  /** Starts what is due, as far as there are lanes. Resolves when nothing more can be started; calls go on. */
  sweep(): Promise<void>;
  /** Resolves when the calls in hand have ended. */
  drain(): Promise<void>;
};

/** Calls of a process at a time, and of one tenant. Of an integration there is one at a time, in all processes. */
const lanes = 16;
const lanesOfTenant = 4;

/** Makes calls to the platform's API side by side: an integration that hangs keeps none of another tenant. */
export function createPlatformCalling(parts: PlatformCallingParts): PlatformCalling {
  const { database, contextOf, openPlatform, logger, onCall } = parts;
  const running = new Map<string, Set<Promise<void>>>();
  const all = () => [...running.values()].flatMap((calls) => [...calls]);

  function start(call: TakenCall): void {
    const { tenantId, integrationId, kind } = call;
    const own = running.get(tenantId) ?? new Set();
    running.set(tenantId, own);
    const work = makeCall(contextOf(tenantId), call, openPlatform)
      .then((report) => onCall?.(report))
      .catch((error: unknown) => {
        // Its lease ends by itself, and it is made again.
        logger.error({ err: error, tenantId, integrationId, kind }, 'platform call could not be settled');
        onCall?.({ kind, outcome: 'error' });
      })
      .finally(() => {
        own.delete(work);
        if (own.size === 0) running.delete(tenantId);
      });
    own.add(work);
  }

  return {
    async sweep() {
      // Integrations that have to wait are looked at once each.
      for (let looks = 0; looks < 200 && all().length < lanes; looks += 1) {
        const busy = [...running].filter(([, calls]) => calls.size >= lanesOfTenant).map(([tenantId]) => tenantId);
        const call = await database.inTransaction('', (tx) => takeCall(tx, busy));
        if (call === undefined) return;
        if (call) start(call);
      }
    },
    async drain() {
      await Promise.all(all());
    },
  };
}
