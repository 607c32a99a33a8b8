import type { Principal } from '@eas/contracts';
import { createPace, type Pace } from '@eas/core';
import type { Bucket } from '../routes/route.ts';
import { agentWidth } from './rate-limit.ts';
import type { CallerLimiter } from './tenant-ceiling.ts';

/** Bytes that a call read or sent, and the duration of its read statements. */
export type CallCost = { bytes?: number; databaseMs?: number };

export type TenantPace = {
  /** Books a call and returns its wait in ms. Infinity: longer than `maxWaitMs`; nothing is booked. */
  take(caller: Pick<Principal, 'tenantId'>, bucket: Bucket): number;
  /** Counts the additional cost of a call: each 64 KiB, and each 50 ms of the database, count as one more call. */
  charge(caller: Pick<Principal, 'tenantId'>, bucket: Bucket, cost: CallCost): void;
  maxWaitMs: number;
};

export type TenantPaceOptions = {
  /** Calls per second of a tenant; those of a quarter of a second may begin at once. */
  perMinute: number;
  /** Longest wait of an admitted call, 5 s; others are refused after one to two times as long. */
  maxWaitMs?: number;
  /** Called for each call that does not begin at once, for a metric. */
  onHeldBack?: (outcome: 'waited' | 'refused') => void;
};

const [bytesOfCall, databaseMsOfCall] = [65_536, 50];
const burstSeconds = 0.25;
/** Turns come at multiples of this, for all calls of that time: they share transactions. */
const turnMs = 50;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createTenantPace(options: TenantPaceOptions): TenantPace {
  const { perMinute, maxWaitMs = 5_000, onHeldBack } = options;
  const paceOf = (width: number) => {
    const perSecond = (perMinute * width) / 60;
    return createPace({ perSecond, burst: Math.max(1, perSecond * burstSeconds) });
  };
  const paces: Record<Bucket, Pace> = { api: paceOf(1), agent: paceOf(agentWidth) };
  return {
    take({ tenantId }, bucket) {
      const pace = paces[bucket];
      const isTooFar = pace.waitMs(tenantId) > maxWaitMs;
      const waitMs = isTooFar ? Infinity : pace.take(tenantId, 1);
      if (waitMs === 0) return 0;
      onHeldBack?.(isTooFar ? 'refused' : 'waited');
      const now = performance.now();
      return Math.ceil((now + waitMs) / turnMs) * turnMs - now;
    },
    charge({ tenantId }, bucket, { bytes = 0, databaseMs = 0 }) {
      const calls = Math.floor(bytes / bytesOfCall) + Math.floor(databaseMs / databaseMsOfCall);
      if (calls > 0) paces[bucket].take(tenantId, calls);
    },
    maxWaitMs,
  };
}

/**
 * A window of a minute could be used up within a second, at the cost of all other tenants. So a call over its tenant's
 * pace waits for its turn, also one that is refused: refusing calls as fast as they come would cost as much.
 */
export function withTenantPace(limit: CallerLimiter, pace: TenantPace): CallerLimiter {
  return (caller, bucket) => {
    const state = limit(caller, bucket);
    const waitMs = pace.take(caller, bucket);
    if (waitMs === 0) return state;
    if (waitMs < Infinity) return sleep(waitMs).then(() => state);
    // Concurrent calls are not refused at the same time either.
    const refusedAfterMs = pace.maxWaitMs * (1 + Math.random());
    return sleep(refusedAfterMs).then(async () => ({ ...(await state), isAllowed: false, isTooFast: true }));
  };
}
