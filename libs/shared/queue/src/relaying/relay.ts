import { setTimeout as delay } from 'node:timers/promises';
import { exponentialBackoffMs } from '@eas/core';
import { startLoop } from '@eas/runtime';
import { nextUnsentAt } from './outbox.sweeper.ts';
import type { RelayOptions } from './relay-options.ts';
import { firstRound, relayRound, type Round } from './relay-round.ts';
import { resendLate } from './resend-late.ts';

export type Relay = {
  /** Claims nothing more; resolves when the current batch is in the queue. */
  stop(): Promise<void>;
};

/** Pause between rounds while the queues of all remaining backlogs are full. */
const fullGapMs = 25;
/** The more rows were sent, the longer the next claim waits to gather some; a single event goes at once. */
const quietGapMs = 2;
const busyGapMs = 20;
const gapMsOfRow = 1;

/**
 * Sends outbox rows to queues, woken by the channel `outbox` or by a poll. Any number of relays may run. Numbers public
 * events per tenant, and resends what a lost queue store or worker did not process. Tenants take turns, and a long
 * backlog waits in the outbox while its queue is full.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, queues, logger, idleWatch, pollMs = 250, resendEveryMs = 5_000 } = options;
  let failures = 0;
  let startedAt = -Infinity;
  let gapMs = quietGapMs;
  let round: Round = firstRound;

  async function drain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(startedAt + gapMs - performance.now(), signal);
      if (signal.aborted) return;
      startedAt = performance.now();
      round = await relayRound(options, round);
      failures = 0;
      gapMs = gapAfter(round);
      if (isIdle(round)) return;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    try {
      // While the store is unavailable no row is claimed, only to be released again.
      if (failures > 0) await queues.depths();
      await drain(signal);
    } catch (error) {
      failures += 1;
      const waitMs = exponentialBackoffMs(failures, 100, 2_000);
      logger.warn({ err: error, waitMs }, 'outbox relay failed, will retry');
      await pause(waitMs, signal);
    }
  }

  const unlessIdle = idleWatch && { watch: idleWatch, nextDueAt: () => nextUnsentAt(database.db) };
  const main = startLoop({ name: 'relay', everyMs: pollMs, run, logger, pause: unlessIdle });
  const again = startLoop({ name: 'relay again', everyMs: resendEveryMs, run: () => resendLate(options), logger });
  const stopListening = database.listener.on('outbox', () => main.wake());
  return {
    async stop() {
      stopListening();
      await Promise.all([main.stop(), again.stop()]);
    },
  };
}

/** Whether nothing was found, or nothing that a queue has capacity for. */
function isIdle({ sent, more, isCut, search }: Round): boolean {
  return sent === 0 && more !== 'little' && !isCut && search.isNew;
}

function gapAfter({ sent, more, isCut }: Round): number {
  if (more === 'plenty' || (isCut && sent > 0)) return 0;
  if (more !== 'nothing') return fullGapMs;
  return Math.min(Math.max(quietGapMs, sent * gapMsOfRow), busyGapMs);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
}
