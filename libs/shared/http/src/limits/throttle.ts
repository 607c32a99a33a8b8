import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addressBlock, AppError } from '@eas/core';
import { LRUCache } from 'lru-cache';
import { type RateLimiter, tooMany } from './rate-limit.ts';

/** Counts one attempt under a key; throws rate_limited with Retry-After beyond `perMinute`. */
export type Throttle = (key: string, perMinute: number) => Promise<void>;

/** Counts attempts in windows of their own, shared by processes as the limits are. */
export function createThrottle(limit: RateLimiter): Throttle {
  return async (key, perMinute) => {
    // A key may be any text of a caller, an e-mail address too: the store holds its hash.
    const hash = createHash('sha256').update(key).digest('base64url');
    const state = await limit({ credentialId: `throttle:${hash}`, rateLimit: perMinute }, 'api');
    if (!state.isAllowed) throw tooMany('attempts', state);
  };
}

/** Counts attempts by address; the owner of an IPv6 address has all of its /64, which counts as one. */
export const throttleByAddress =
  (throttle: Throttle, what: string, perMinute: number) =>
  (address: string): Promise<void> =>
    throttle(`${what} ${addressBlock(address)}`, perMinute);

/** Look-ups of credentials that are not known yet: credentials, one-time links, codes. Per address. */
export type LookUpThrottle = {
  /** Whether the address has failed too often recently, so that `ask` waits or throws. Costs nothing while none has. */
  isPaced(address: string): boolean;
  /**
   * Called before a look-up. Waits or throws rate_limited while the address has failed too often, without using the
   * store.
   */
  ask(address: string): Promise<void>;
  /** Counts a failed look-up. Throws rate_limited beyond the limit. */
  count(address: string): Promise<void>;
};

/**
 * Interval between look-ups of an address that failed too often: a client that shares it with a guesser still gets in.
 */
const paceMs = 100;
const longestWaitMs = 500;
const maxAddresses = 10_000;

export function createLookUpThrottle(throttle: Throttle, perMinute: number): LookUpThrottle {
  const countFailure = throttleByAddress(throttle, 'wrong credentials', perMinute);
  const refused = new LRUCache<string, { error: AppError; nextAtMs: number }>({ max: maxAddresses });
  return {
    isPaced: (address) => refused.size > 0 && refused.has(addressBlock(address)),
    async ask(address) {
      const pace = refused.get(addressBlock(address));
      if (!pace) return;
      const nowMs = performance.now();
      const waitMs = Math.max(0, pace.nextAtMs - nowMs);
      if (waitMs > longestWaitMs) throw pace.error;
      pace.nextAtMs = nowMs + waitMs + paceMs;
      await delay(waitMs);
    },
    async count(address) {
      try {
        await countFailure(address);
      } catch (error) {
        if (error instanceof AppError) remember(addressBlock(address), error);
        throw error;
      }
    },
  };

  function remember(block: string, error: AppError): void {
    const nextAtMs = refused.get(block)?.nextAtMs ?? performance.now();
    refused.set(block, { error, nextAtMs }, { ttl: Number(error.headers['Retry-After'] ?? 1) * 1_000 });
  }
}
