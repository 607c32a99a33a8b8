import type { Principal, Scope, Tier } from '@eas/contracts';
import { AppError } from '@eas/core';

/** The maximum rights that a caller may give to keys and clients. */
export type Giver = {
  scopes: readonly Scope[];
  /** Requests a minute. */
  rateLimit: number;
};

/** A key or token can give what it has; a person at the dashboard up to the limit of the tenant, `installed` by default. */
export function giverOf({ kind, scopes, rateLimit, tenant }: Principal, installed: number): Giver {
  const ceiling = tenant?.rateLimit ?? installed;
  return { scopes, rateLimit: kind === 'session' ? ceiling : Math.min(rateLimit, ceiling) };
}

/** Requests a minute of a key or client that has no number of its own. */
export const tierRateLimits: Record<Tier, number> = { basic: 60, standard: 300, enterprise: 1_000 };

/** The limit of a key or client: its own number, else that of its tier. */
export type Limit = { tier: Tier; rateLimit: number | null };

/** The requests per minute of a limit. */
export const requestsOf = ({ tier, rateLimit }: Limit): number => rateLimit ?? tierRateLimits[tier];

/** Throws invalid_input above a fixed tier's number (enterprise has its own), forbidden above the giver's. */
export function assertMayLimit(limit: Limit, giver: Pick<Giver, 'rateLimit'>): void {
  const ofTier = tierRateLimits[limit.tier];
  if (limit.tier !== 'enterprise' && requestsOf(limit) > ofTier) {
    const message = `rate_limit must be at most ${ofTier} for the tier ${limit.tier}.`;
    throw new AppError('invalid_input', { field: 'rate_limit', constraint: 'max', message });
  }
  if (requestsOf(limit) <= giver.rateLimit) return;
  const message = `rate_limit must be at most ${giver.rateLimit}, which is your own limit; this one is ${requestsOf(limit)}.`;
  throw new AppError('forbidden', { message });
}
