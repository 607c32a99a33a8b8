import { createHash } from 'node:crypto';
import { addressBlock } from '@eas/core';
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

/** Counts what comes from an address; who has an IPv6 address has all of its /64, which count together. */
export const throttleByAddress =
  (throttle: Throttle, what: string, perMinute: number) =>
  (address: string): Promise<void> =>
    throttle(`${what} ${addressBlock(address)}`, perMinute);
