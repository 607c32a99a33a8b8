import type { Principal } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Bucket } from '../routes/route.ts';
import type { CountPoints, Window } from './rate-limit.store.ts';

/** The state of a caller's window after its call was counted. */
export type LimitState = {
  limit: number;
  remaining: number;
  resetAtSeconds: number;
  isAllowed: boolean;
  /** The window is that of all the tenant's callers together. */
  isOfTenant?: boolean;
  /** The call has waited the maximum time for its turn among its tenant's calls. */
  isTooFast?: boolean;
};

/**
 * Counts one call of a credential and returns the state of its window. Without its store it counts in this process
 * only.
 */
export type RateLimiter = (
  caller: Pick<Principal, 'credentialId' | 'rateLimit'>,
  bucket: Bucket,
) => LimitState | Promise<LimitState>;

/** Claims and lease calls have a window of their own, this many times as wide. */
export const agentWidth = 10;

export type RateLimiterOptions = {
  count: CountPoints;
  logger: Logger;
  /** Points of one key are batched for this time; 10 ms. */
  gatherMs?: number;
  /** Called whenever this process counts locally, for a metric. */
  onFallback?: () => void;
};

/**
 * Fixed one-minute windows per credential. Far from its limit a call is admitted at once and its point is sent with
 * others a few ms later; near the limit, or when the store was silent for a second, its response is awaited.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const counters = new Map<string, Counter>();
  const count = countOrCountAlone(options);
  const sweep = setInterval(() => {
    for (const [key, counter] of counters) if (isForgettable(counter)) counters.delete(key);
  }, 60_000);
  sweep.unref();
  return ({ credentialId, rateLimit }, bucket) => {
    const isAgent = bucket === 'agent';
    const limit = isAgent ? rateLimit * agentWidth : rateLimit;
    const key = isAgent ? `agent:${credentialId}` : credentialId;
    let counter = counters.get(key);
    if (!counter) counters.set(key, (counter = newCounter(key)));
    return take(counter, limit, count, options.gatherMs ?? 10);
  };
}

type Waiter = { limit: number; position: number; resolve: (state: LimitState) => void };

/** `sent`, `pending`: points that the store may not hold yet. `reported`: the highest position that a caller got. */
type Counter = {
  key: string;
  used: number;
  reported: number;
  endsAtMs: number;
  repliedAtMs: number;
  sent: number;
  pending: number;
  waiters: Waiter[];
  timer: NodeJS.Timeout | undefined;
};

const newCounter = (key: string): Counter => ({
  key,
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

function take(counter: Counter, limit: number, count: CountPoints, gatherMs: number): LimitState | Promise<LimitState> {
  const nowMs = Date.now();
  const isKnown = counter.endsAtMs > nowMs;
  if (isKnown && counter.used >= limit) return stateOf(counter, limit, limit + 1);
  counter.pending += 1;
  const unsettled = counter.sent + counter.pending;
  const isFresh = isKnown && nowMs - counter.repliedAtMs < believedMs;
  if (isFresh && unsettled <= (limit - counter.used) * unsettledShare) {
    counter.timer ??= flushLater(counter, count, gatherMs);
    return stateOf(counter, limit, counter.used + unsettled);
  }
  return new Promise((resolve) => {
    counter.waiters.push({ limit, position: counter.pending, resolve });
    // A single caller does not wait: points are batched only while a response is pending.
    if (counter.sent === 0) void flush(counter, count, gatherMs);
    else counter.timer ??= flushLater(counter, count, gatherMs);
  });
}

function flushLater(counter: Counter, count: CountPoints, gatherMs: number): NodeJS.Timeout {
  return setTimeout(() => void flush(counter, count, gatherMs), gatherMs);
}

async function flush(counter: Counter, count: CountPoints, gatherMs: number): Promise<void> {
  clearTimeout(counter.timer);
  counter.timer = undefined;
  const { pending, waiters } = counter;
  counter.pending = 0;
  counter.waiters = [];
  counter.sent += pending;
  const window = await count(counter.key, pending);
  counter.sent -= pending;
  settle(counter, window, pending);
  counter.repliedAtMs = Date.now();
  const usedBefore = window.used - pending;
  for (const { limit, position, resolve } of waiters) resolve(stateOf(counter, limit, usedBefore + position));
  if (counter.pending > 0) counter.timer ??= flushLater(counter, count, gatherMs);
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
function stateOf(counter: Counter, limit: number, position: number): LimitState {
  counter.reported = Math.max(counter.reported, position);
  const resetAtSeconds = Math.ceil(counter.endsAtMs / 1_000);
  return { limit, remaining: Math.max(0, limit - counter.reported), resetAtSeconds, isAllowed: position <= limit };
}

/** After a failure the store is not used for a while; until then this process counts locally. */
const restMs = 1_000;

function countOrCountAlone({ count, logger, onFallback }: RateLimiterOptions): CountPoints {
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

export function rateHeaders({ limit, remaining, resetAtSeconds }: LimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAtSeconds),
  };
}

export function tooMany(what: 'requests' | 'attempts', state: LimitState): AppError {
  const { limit, resetAtSeconds, isOfTenant, isTooFast } = state;
  if (isTooFast) return tooFast();
  // The reset is rounded up to a whole second; a window itself is never longer than a minute.
  const waitSeconds = Math.min(60, Math.max(1, Math.ceil(resetAtSeconds - Date.now() / 1_000)));
  const who = isOfTenant ? 'All callers of the tenant together sent more' : 'More';
  const message = `${who} than ${limit} ${what} in a minute. Try again in a minute.`;
  return new AppError('rate_limited', { message, headers: { 'Retry-After': String(waitSeconds) } });
}

function tooFast(): AppError {
  const message = 'Too many requests of the tenant are waiting. Send fewer requests at a time.';
  return new AppError('rate_limited', { message, headers: { 'Retry-After': '5' } });
}
