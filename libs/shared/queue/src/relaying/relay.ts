import { setTimeout as delay } from 'node:timers/promises';
import { type Consumer, consumers, publicEventConsumer, queueOf } from '@eas/contracts';
import { exponentialBackoffMs, type Logger, tracer } from '@eas/core';
import type { Database } from '@eas/db';
import { startLoop } from '@eas/runtime';
import { groupRows } from './group-rows.ts';
import type { RelayObserver } from './relay-metrics.ts';
import type { OpenQueues } from '../backends/open-queues.ts';
import { claimLate, claimUnsent, type DueRow, numberEvents, type OwedRow, unclaim } from './outbox.sweeper.ts';

/** What the relay carries between, and how often it looks (ms). */
export type RelayOptions = {
  database: Database;
  queues: Pick<OpenQueues, 'send' | 'depths'>;
  logger: Logger;
  observer?: RelayObserver;
  /** Look without being woken, in ms. */
  pollMs?: number;
  /** Rows sent longer ago than that and still owed are sent again, in ms. */
  resendAfterMs?: number;
  /** Pause between looks for such rows, in ms. */
  resendEveryMs?: number;
};

export type Relay = {
  /** Claims nothing more; resolves when the batch in hand is in the queue. */
  stop(): Promise<void>;
};

const batchRows = 2_000;
const batchesPerResend = 10;
/** A queue that has that many jobs waiting has not lost them: its rows are sent again only after `deepResendFactor` times as long. */
const deepQueueJobs = 100;
const deepResendFactor = 20;
/** With that many jobs waiting nothing is sent again: it would only stand behind the rest. */
const fullQueueJobs = 1_000;
/** The more came, the longer the next claim waits for company; a lone event goes at once. */
const quietGapMs = 2;
const busyGapMs = 20;
const gapMsOfRow = 1;

/**
 * Carries outbox rows into queues: woken by the channel `outbox`, by a poll otherwise. Any number of relays may run.
 * Numbers public events per tenant, and sends again what a lost queue store or worker left undone.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, queues, logger, pollMs = 250, resendEveryMs = 5_000 } = options;
  let failures = 0;
  let startedAt = -Infinity;
  let gapMs = quietGapMs;

  async function drain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(startedAt + gapMs - performance.now(), signal);
      if (signal.aborted) return;
      startedAt = performance.now();
      const count = await relayBatch(options);
      failures = 0;
      gapMs = Math.min(Math.max(quietGapMs, count * gapMsOfRow), busyGapMs);
      if (count >= batchRows) startedAt = -Infinity;
      if (count === 0) return;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    try {
      // While the store is away the outbox is left alone: no row is claimed only to be given back.
      if (failures > 0) await queues.depths();
      await drain(signal);
    } catch (error) {
      failures += 1;
      const waitMs = exponentialBackoffMs(failures, 100, 2_000);
      logger.warn({ err: error, waitMs }, 'outbox relay failed, will retry');
      await pause(waitMs, signal);
    }
  }

  const main = startLoop({ name: 'relay', everyMs: pollMs, run, logger });
  const again = startLoop({ name: 'relay again', everyMs: resendEveryMs, run: () => resend(options), logger });
  const stopListening = database.listener.on('outbox', () => main.wake());
  return {
    async stop() {
      stopListening();
      await Promise.all([main.stop(), again.stop()]);
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
}

async function relayBatch({ database, queues, logger, observer }: RelayOptions): Promise<number> {
  const due = await database.inTransaction('', async (tx) => {
    const claimed = await claimUnsent(tx.db, batchRows);
    const toNumber = claimed.filter(({ consumer, attempts }) => consumer === publicEventConsumer && attempts === 0);
    if (toNumber.length > 0) {
      await numberEvents(tx.db, toNumber);
      for (const tenantId of new Set(toNumber.map((row) => row.tenantId))) tx.notify('stream', tenantId);
    }
    return claimed;
  });
  const rows = due.filter(({ isUnsubscribed }) => !isUnsubscribed);
  if (rows.length === 0) return due.length;
  try {
    await queues.send(groupRows(rows));
  } catch (error) {
    await unclaim(database.db, rows).catch((unclaimError: unknown) => {
      logger.warn({ err: unclaimError, count: rows.length }, 'outbox rows not unmarked, will be resent later');
    });
    throw error;
  }
  count(observer, rows, 'first');
  for (const row of rows) {
    observer?.onLag(row.consumer, row.lagSeconds);
    traceRelayed(row);
  }
  return due.length;
}

/** Shows in the trace of an event that it is in its queue, and how long it waited for that. */
function traceRelayed({ traceparent, consumer, lagSeconds }: DueRow): void {
  if (!traceparent) return;
  const attributes = { 'eas.consumer': consumer, 'eas.lag_ms': Math.round(lagSeconds * 1_000) };
  tracer()?.start('relay', { parent: traceparent, attributes }).end();
}

async function resend(options: RelayOptions): Promise<void> {
  const { queues, logger, resendAfterMs = 15_000 } = options;
  const depths = await queues.depths();
  const waiting = (consumer: Consumer) => depths[queueOf(consumer)]?.waiting ?? 0;
  const shallow = consumers.filter((consumer) => waiting(consumer) < deepQueueJobs);
  const deep = consumers.filter((one) => waiting(one) >= deepQueueJobs && waiting(one) < fullQueueJobs);
  const total =
    (await resendLate(options, resendAfterMs, shallow)) +
    (await resendLate(options, resendAfterMs * deepResendFactor, deep));
  if (total > 0) logger.warn({ rows: total }, 'unconsumed outbox rows resent');
}

async function resendLate(
  { database, queues, observer }: RelayOptions,
  ageMs: number,
  among: readonly Consumer[],
): Promise<number> {
  let total = 0;
  for (let batch = 0; among.length > 0 && batch < batchesPerResend; batch += 1) {
    const rows = await database.inTransaction('', ({ db }) => claimLate(db, batchRows, ageMs, among));
    if (rows.length > 0) await queues.send(groupRows(rows, { isAgain: true }));
    count(observer, rows, 'again');
    total += rows.length;
    if (rows.length < batchRows) break;
  }
  return total;
}

function count(observer: RelayObserver | undefined, rows: readonly OwedRow[], kind: 'first' | 'again'): void {
  const counts = new Map<Consumer, number>();
  for (const { consumer } of rows) counts.set(consumer, (counts.get(consumer) ?? 0) + 1);
  for (const [consumer, number] of counts) observer?.onRelayed(consumer, kind, number);
}
