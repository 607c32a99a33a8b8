import { type Span, tracer } from '@eas/core';
import type { Db } from './db.ts';
import type { Channel } from './notify.ts';
import { isErrorOfRow } from './sql-error.ts';
import { Unavailable } from './unavailable.ts';

/** The result of one item of a gathered statement, or an error that concerns only that item. */
export type BatchResult<O> = { ok: true; value: O } | { ok: false; error: unknown };

/** It commits by itself and returns a result per item, in their order. Items may belong to different tenants. */
export type GatheredStatement<I, O> = ((db: Db, items: readonly I[], wake: Wake) => Promise<BatchResult<O>[]>) & {
  /** Maximum number of items in this statement, for statements with large results. */
  maxItems?: number;
};

/** Wakes listeners after the statement has committed. */
export type Wake = (channel: Channel, key: string) => void;

export type GatherOptions = {
  /** Maximum number of items in a statement. */
  max: number;
  /** Maximum size of a statement's items; 8 MiB. A larger item goes alone. */
  maxBytes?: number;
  inFlight: number;
  /** False inside a transaction: an error aborts all of it, so nothing is replayed. Default: true. */
  isReplaying?: boolean;
  /** Calls that may wait, 10,000, and their size, 64 MiB: more get Unavailable. */
  maxWaiting?: number;
  maxWaitingBytes?: number;
};

export const gatherDefaults: GatherOptions = { max: 200, inFlight: 2 };

/** Size of an item whose caller passes none: ids, times and short texts. */
const smallItemBytes = 1_024;
const mebibyte = 1_024 * 1_024;

type Waiting<I, O> = {
  item: I;
  bytes: number;
  span: Span | undefined;
  resolve: (value: O) => void;
  reject: (error: unknown) => void;
};

/**
 * Turns concurrent calls into one statement (group commit). After an error that the values of a row can cause, the
 * batch is replayed item by item, so that a bad row never fails other calls; any other error rejects the whole batch,
 * and without replays all waiting calls too.
 */
export function createGatherer<I, O>(
  run: (items: readonly I[]) => Promise<BatchResult<O>[]>,
  {
    max,
    maxBytes = 8 * mebibyte,
    inFlight,
    isReplaying = true,
    maxWaiting = 10_000,
    maxWaitingBytes = 64 * mebibyte,
  }: GatherOptions = gatherDefaults,
): (item: I, bytes?: number) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let waitingBytes = 0;
  let running = 0;
  let isScheduled = false;

  async function runBatch(batch: Waiting<I, O>[]): Promise<void> {
    try {
      settle(batch, await inSpanOf(batch, () => run(batch.map(({ item }) => item))));
    } catch (error) {
      if (isReplaying && batch.length > 1 && isErrorOfRow(error)) {
        for (const one of batch) await runBatch([one]);
        return;
      }
      const rejected = isReplaying ? batch : [...batch, ...takeWaiting(waiting.length)];
      for (const { reject } of rejected) reject(error);
    }
  }

  function takeWaiting(count: number): Waiting<I, O>[] {
    const taken = waiting.splice(0, count);
    for (const { bytes } of taken) waitingBytes -= bytes;
    return taken;
  }

  function start(): void {
    isScheduled = false;
    while (waiting.length > 0 && running < inFlight) {
      running += 1;
      void runBatch(takeWaiting(countThatFits(waiting, max, maxBytes))).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  return (item, bytes = smallItemBytes) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting || (waiting.length > 0 && waitingBytes + bytes > maxWaitingBytes))
        return reject(tooManyWaiting());
      waiting.push({ item, bytes, span: tracer()?.current(), resolve, reject });
      waitingBytes += bytes;
      if (isScheduled || running >= inFlight) return;
      isScheduled = true;
      // After the I/O events of this tick, so that requests that were read in one tick share a statement.
      setImmediate(start);
    });
}

/** Work for one caller is part of its span; work for several belongs to none. */
function inSpanOf<T>(batch: readonly { span: Span | undefined }[], work: () => T): T {
  const tracing = tracer();
  if (!tracing) return work();
  const span = batch.length === 1 ? batch[0]?.span : undefined;
  return span ? span.run(work) : tracing.outside(work);
}

/** How many of the first items fit into a statement: at least one. */
function countThatFits(waiting: readonly { bytes: number }[], max: number, maxBytes: number): number {
  let left = maxBytes;
  const end = waiting.findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0);
  return Math.min(max, end === -1 ? waiting.length : end);
}

/** The error when no more calls may wait for the database. */
export const tooManyWaiting = () => new Unavailable('Too many calls are waiting for the database. Try again later.');

function settle<I, O>(batch: Waiting<I, O>[], results: BatchResult<O>[]): void {
  batch.forEach(({ resolve, reject }, index) => {
    const result = results[index];
    if (!result) reject(tooFewResults());
    else if (result.ok) resolve(result.value);
    else reject(result.error);
  });
}

/** The result of a batch of one. */
export function onlyResult<O>([result]: BatchResult<O>[]): O {
  if (!result) throw tooFewResults();
  if (!result.ok) throw result.error;
  return result.value;
}

const tooFewResults = () => new Error('a batch gave too few results');
