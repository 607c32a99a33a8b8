import type { Principal } from '@eas/contracts';
import type { Bucket } from '../routes/route.ts';
import type { LimitState, RateLimiter } from './rate-limit.ts';

export type CallerLimiter = (
  caller: Pick<Principal, 'tenantId' | 'credentialId' | 'rateLimit'>,
  bucket: Bucket,
) => LimitState | Promise<LimitState>;

/**
 * Besides the window of each credential, one for all calls of a tenant together, `ceiling` wide: however many keys a
 * tenant makes. A call refused for its own credential does not count for the tenant, once that is known here.
 */
export function withTenantCeiling(own: RateLimiter, ofTenants: RateLimiter, ceiling: number): CallerLimiter {
  return (caller, bucket) => {
    const state = own(caller, bucket);
    if (!(state instanceof Promise) && !state.isAllowed) return state;
    const tenant = ofTenants({ credentialId: `tenant:${caller.tenantId}`, rateLimit: ceiling }, bucket);
    if (!(state instanceof Promise) && !(tenant instanceof Promise)) return lower(state, tenant);
    return Promise.all([state, tenant]).then(([one, other]) => lower(one, other));
  };
}

/** The window that refuses the call; of the credential, where none does. */
function lower(own: LimitState, tenant: LimitState): LimitState {
  return own.isAllowed && !tenant.isAllowed ? { ...tenant, isOfTenant: true } : own;
}
