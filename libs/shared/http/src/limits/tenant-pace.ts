import type { Principal } from '@eas/contracts';
import { createPace, type Pace } from '@eas/core';
import { bytesOfCall, databaseMsOfCall } from '@eas/db';
import { LRUCache } from 'lru-cache';
import type { Bucket } from '../routes/route.ts';

/** Bytes that a call read or sent, and the duration of its read statements. */
export type CallCost = { bytes?: number; databaseMs?: number };

type Caller = Pick<Principal, 'tenantId' | 'tenant'>;

/**
 * A window of a minute could be used up within a second, at the cost of all other tenants. So a call over its tenant's
 * pace waits for its turn, also one that is refused: refusing calls as fast as they come would cost as much.
 */
export type TenantPace = {
  /** Books a call and waits for its turn. False, after a wait: its turn is too far away, and nothing is booked. */
  wait(caller: Caller, bucket: Bucket): Promise<boolean>;
  /** Counts the additional cost of a call: each 64 KiB, and each 50 ms of the database, count as one more call. */
  charge(caller: Caller, bucket: Bucket, cost: CallCost): void;
};

export type TenantPaceOptions = {
  /** Calls of a tenant without a rate of its own, evenly spread; those of a quarter of a second may begin at once. */
  perMinute: number;
  /** Longest wait of an admitted call, 5 s; others are refused after one to two times as long. */
  maxWaitMs?: number;
  /** Called for each call that does not begin at once, for a metric. */
  onHeldBack?: (outcome: 'waited' | 'refused') => void;
};

/** How many times as many claims and lease calls a caller has. */
export const widthOf: Record<Bucket, number> = { api: 1, agent: 10 };
const burstSeconds = 0.25;
/** Different rates whose paces are kept. */
const maxRates = 1_000;
/** Turns come at multiples of this, for all calls of that time: they share transactions. */
const turnMs = 50;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function pacesOf(perMinute: number): Record<Bucket, Pace> {
  const paceOf = (width: number) => {
    const perSecond = (perMinute * width) / 60;
    return createPace({ perSecond, burst: Math.max(1, perSecond * burstSeconds) });
  };
  return { api: paceOf(widthOf.api), agent: paceOf(widthOf.agent) };
}

export function createTenantPace({ perMinute, maxWaitMs = 5_000, onHeldBack }: TenantPaceOptions): TenantPace {
  // Tenants with the same rate share a pace. A tenant whose rate changes starts again.
  const paces = new LRUCache<number, Record<Bucket, Pace>>({ max: maxRates, memoMethod: pacesOf });
  const paceOf = ({ tenant }: Caller, bucket: Bucket) => paces.memo(tenant?.rateLimit ?? perMinute)[bucket];
  return {
    async wait(caller, bucket) {
      const { tenantId } = caller;
      const pace = paceOf(caller, bucket);
      const isInTime = pace.waitMs(tenantId) <= maxWaitMs;
      const waitMs = isInTime ? pace.take(tenantId, 1) : 0;
      if (isInTime && waitMs === 0) return true;
      onHeldBack?.(isInTime ? 'waited' : 'refused');
      const now = performance.now();
      // Concurrent calls are not refused at the same time either.
      await sleep(isInTime ? Math.ceil((now + waitMs) / turnMs) * turnMs - now : maxWaitMs * (1 + Math.random()));
      return isInTime;
    },
    charge(caller, bucket, { bytes = 0, databaseMs = 0 }) {
      const calls = Math.floor(bytes / bytesOfCall) + Math.floor(databaseMs / databaseMsOfCall);
      if (calls > 0) paceOf(caller, bucket).take(caller.tenantId, calls);
    },
  };
}
