import { createHash } from 'node:crypto';
import type { Principal } from '@eas/contracts';
import { addressBlock, AppError } from '@eas/core';
import type { Bucket } from '../routes/route.ts';
import { createLookUps, type LookUps } from './look-ups.ts';
import { createRateWindows, type RateWindowsOptions, type WindowState } from './rate-windows.ts';
import { type CallCost, createTenantPace, type TenantPaceOptions, widthOf } from './tenant-pace.ts';

/** The window that decides a call: that of the first level that refuses it, else that of its credential. */
export type LimitState = Omit<WindowState, 'isAllowed'> & { refusal?: AppError };

type Caller = Pick<Principal, 'tenantId' | 'credentialId' | 'rateLimit' | 'tenant'>;

/** What callers may do in a minute. All processes share the windows; paces are of this process. */
export type CallBudget = {
  /** Counts a call of a credential and its tenant, and waits for its turn among the calls of the tenant. */
  take(caller: Caller, bucket: Bucket): Promise<LimitState>;
  /** Counts the additional cost of a call. */
  charge(caller: Caller, bucket: Bucket, cost: CallCost): void;
  /** Counts an attempt under any text. Throws rate_limited with Retry-After beyond `perMinute`. */
  attempt(text: string, perMinute: number): Promise<void>;
  /** Counts an attempt of an address; the owner of an IPv6 address has all of its /64, which counts as one. */
  attemptFrom(address: string, what: string, perMinute: number): Promise<void>;
  lookUps: LookUps;
};

export type CallBudgetOptions = RateWindowsOptions &
  Omit<TenantPaceOptions, 'perMinute'> & {
    /** Calls of a tenant in a minute, however many keys it creates, unless it has a rate of its own. */
    perTenant: number;
    /** Failed look-ups of an address in a minute. */
    failedLookUps: number;
    /** Called with each call of a tenant, and with what calls cost in addition. */
    onCost?: (tenantId: string, cost: CallCost & { calls?: number }) => void;
  };

/** Calls that share a window, how many of them it admits, and what a refusal says. */
type Level = { key: string; perMinute: number; refusal: string; gatherMs?: number };

/** Claims and lease calls are counted separately. */
function callsOf(bucket: Bucket, key: string, narrow: number, who: string): Level {
  const perMinute = narrow * widthOf[bucket];
  return { key: bucket === 'agent' ? `agent:${key}` : key, perMinute, refusal: `${who} than ${perMinute} requests` };
}

/** The text may be an e-mail address: the store holds its hash. */
function attemptsOf(text: string, perMinute: number): Level {
  const key = `throttle:${createHash('sha256').update(text).digest('base64url')}`;
  return { key, perMinute, refusal: `More than ${perMinute} attempts` };
}

export function createCallBudget({ perTenant, failedLookUps, onCost, ...options }: CallBudgetOptions): CallBudget {
  const windows = createRateWindows(options);
  const pace = createTenantPace({ ...options, perMinute: perTenant });
  const perMinuteOf = ({ tenant }: Caller) => tenant?.rateLimit ?? perTenant;

  /** Counts at each level, up to one that is known to be used up. Returns the first that refuses, and its window. */
  async function takeFrom(levels: readonly Level[]): Promise<{ window: LimitState; refusing: Level | undefined }> {
    const taken: Promise<WindowState>[] = [];
    for (const { key, perMinute, gatherMs } of levels) {
      const state = windows(key, perMinute, gatherMs);
      taken.push(Promise.resolve(state));
      if (!(state instanceof Promise) && !state.isAllowed) break;
    }
    const states = await Promise.all(taken);
    const at = states.findIndex(({ isAllowed }) => !isAllowed);
    const { isAllowed: _, ...window } = states[Math.max(0, at)] as WindowState;
    return { window, refusing: levels[at] };
  }

  async function attempt(text: string, perMinute: number): Promise<void> {
    const { window, refusing } = await takeFrom([attemptsOf(text, perMinute)]);
    if (refusing) throw tooMany(refusing, window);
  }

  const attemptFrom = (address: string, what: string, perMinute: number): Promise<void> =>
    attempt(`${what} ${addressBlock(address)}`, perMinute);

  return {
    async take(caller, bucket) {
      onCost?.(caller.tenantId, { calls: 1 });
      const ofTenant = 'All callers of the tenant together sent more';
      const taken = takeFrom([
        callsOf(bucket, caller.credentialId, caller.rateLimit, 'More'),
        { ...callsOf(bucket, `tenant:${caller.tenantId}`, perMinuteOf(caller), ofTenant), gatherMs: 50 },
      ]);
      const isInTime = await pace.wait(caller, bucket);
      const { window, refusing } = await taken;
      if (!isInTime) return { ...window, refusal: tooFast() };
      return refusing ? { ...window, refusal: tooMany(refusing, window) } : window;
    },
    charge(caller, bucket, cost) {
      onCost?.(caller.tenantId, cost);
      pace.charge(caller, bucket, cost);
    },
    attempt,
    attemptFrom,
    lookUps: createLookUps((address) => attemptFrom(address, 'wrong credentials', failedLookUps)),
  };
}

export function rateHeaders({ limit, remaining, resetAtSeconds }: LimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAtSeconds),
  };
}

function tooMany({ refusal }: Level, { resetAtSeconds }: LimitState): AppError {
  // The reset is rounded up to a whole second; a window itself is never longer than a minute.
  const waitSeconds = Math.min(60, Math.max(1, Math.ceil(resetAtSeconds - Date.now() / 1_000)));
  const message = `${refusal} in a minute. Try again in a minute.`;
  return new AppError('rate_limited', { message, headers: { 'Retry-After': String(waitSeconds) } });
}

function tooFast(): AppError {
  const message = 'Too many requests of the tenant are waiting. Send fewer requests at a time.';
  return new AppError('rate_limited', { message, headers: { 'Retry-After': '5' } });
}
