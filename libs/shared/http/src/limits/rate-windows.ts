import type { Logger } from '@eas/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CountPoints, Window } from './rate-windows.store.ts';

/** The state of a window after a call was counted. */
export type WindowState = { limit: number; remaining: number; resetAtSeconds: number; isAllowed: boolean };

/** Counts one call in the window of a key, whose points are batched for `gatherMs` (10 ms). */
export type RateWindows = (key: string, limit: number, gatherMs?: number) => WindowState | Promise<WindowState>;

export type RateWindowsOptions = {
  count: CountPoints;
  logger: Logger;
  /** Called whenever this process counts locally, for a metric. */
  onFallback?: () => void;
};

/**
 * Fixed windows of a minute. Far from its limit a call is admitted at once and its point is sent with others a few ms
 * later; near the limit, or when the store was silent for a second, its response is awaited. Without its store the
 * process counts alone.
 */
export function createRateWindows(options: RateWindowsOptions): RateWindows {
  const counters = new Map<string, Counter>();
  const count = countOrCountAlone(options);
  const sweep = setInterval(() => {
    for (const [key, counter] of counters) if (isForgettable(counter)) counters.delete(key);
  }, 60_000);
  sweep.unref();
  return (key, limit, gatherMs = 10) => {
    let counter = counters.get(key);
    if (!counter) counters.set(key, (counter = newCounter((points) => count(key, points), gatherMs)));
    return take(counter, limit);
  };
}

type Waiter = { limit: number; position: number; resolve: (state: WindowState) => void };

/** `sent`, `pending`: points that the store may not hold yet. `reported`: the highest position that a caller got. */
type Counter = {
  count: (points: number) => Promise<Window>;
  gatherMs: number;
  used: number;
  reported: number;
  endsAtMs: number;
  repliedAtMs: number;
  sent: number;
  pending: number;
  waiters: Waiter[];
  timer: NodeJS.Timeout | undefined;
};

const newCounter = (count: Counter['count'], gatherMs: number): Counter => ({
  count,
  gatherMs,
  used: 0,
  reported: 0,
  endsAtMs: 0,
  repliedAtMs: 0,
  sent: 0,
  pending: 0,
  waiters: [],
  timer: undefined,
});

const isForgettable = ({ endsAtMs, sent, pending }: Counter) => endsAtMs < Date.now() && sent + pending === 0;

/** The share of the rest of a window that a process may admit before the store has counted it. */
const unsettledShare = 0.1;
/** How long a response of the store is trusted: other processes continue counting. */
const believedMs = 1_000;

function take(counter: Counter, limit: number): WindowState | Promise<WindowState> {
  const nowMs = Date.now();
  const isKnown = counter.endsAtMs > nowMs;
  if (isKnown && counter.used >= limit) return stateOf(counter, limit, limit + 1);
  counter.pending += 1;
  const unsettled = counter.sent + counter.pending;
  const isFresh = isKnown && nowMs - counter.repliedAtMs < believedMs;
  if (isFresh && unsettled <= (limit - counter.used) * unsettledShare) {
    counter.timer ??= flushLater(counter);
    return stateOf(counter, limit, counter.used + unsettled);
  }
  return new Promise((resolve) => {
    counter.waiters.push({ limit, position: counter.pending, resolve });
    // A single caller does not wait: points are batched only while a response is pending.
    if (counter.sent === 0) void flush(counter);
    else counter.timer ??= flushLater(counter);
  });
}

const flushLater = (counter: Counter): NodeJS.Timeout => setTimeout(() => void flush(counter), counter.gatherMs);

async function flush(counter: Counter): Promise<void> {
  clearTimeout(counter.timer);
  counter.timer = undefined;
  const { pending, waiters } = counter;
  counter.pending = 0;
  counter.waiters = [];
  counter.sent += pending;
  const window = await counter.count(pending);
  counter.sent -= pending;
  settle(counter, window, pending);
  counter.repliedAtMs = Date.now();
  const usedBefore = window.used - pending;
  for (const { limit, position, resolve } of waiters) resolve(stateOf(counter, limit, usedBefore + position));
  if (counter.pending > 0) counter.timer ??= flushLater(counter);
}

/** Ends that differ by less are of the same window: each is measured again. */
const sameEndMs = 1_000;

/** Applies a response of the store. Responses may arrive out of order: within a window the count only grows. */
function settle(counter: Counter, { used, endsAtMs }: Window, points: number): void {
  if (endsAtMs > counter.endsAtMs + sameEndMs) Object.assign(counter, { used, reported: 0, endsAtMs });
  else if (endsAtMs < counter.endsAtMs - sameEndMs) counter.used += points;
  else counter.used = Math.max(counter.used, used);
}

/** The state of the window for a caller. A later caller never gets a higher remaining number. */
function stateOf(counter: Counter, limit: number, position: number): WindowState {
  counter.reported = Math.max(counter.reported, position);
  const resetAtSeconds = Math.ceil(counter.endsAtMs / 1_000);
  return { limit, remaining: Math.max(0, limit - counter.reported), resetAtSeconds, isAllowed: position <= limit };
}

/** After a failure the store is not used for a while; until then this process counts locally. */
const restMs = 1_000;

function countOrCountAlone({ count, logger, onFallback }: RateWindowsOptions): CountPoints {
  const alone = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });
  let restsUntilMs = 0;
  async function countAlone(key: string, points: number): Promise<Window> {
    onFallback?.();
    const { consumedPoints, msBeforeNext } = await alone.consume(key, points);
    return { used: consumedPoints, endsAtMs: Date.now() + msBeforeNext };
  }
  return async (key, points) => {
    if (Date.now() < restsUntilMs) return countAlone(key, points);
    try {
      return await count(key, points);
    } catch (error) {
      // Concurrent calls report it once.
      if (Date.now() >= restsUntilMs) logger.warn({ err: error }, 'rate limit store failed, counting in this process');
      restsUntilMs = Date.now() + restMs;
      return countAlone(key, points);
    }
  };
}
