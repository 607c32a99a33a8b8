import type { Principal } from '@eas/contracts';
import type { Bucket } from '../routes/route.ts';
import type { LimitState, RateLimiter } from './rate-limit.ts';

export type CallerLimiter = (
  caller: Pick<Principal, 'tenantId' | 'credentialId' | 'rateLimit'>,
  bucket: Bucket,
) => LimitState | Promise<LimitState>;

/**
 * In addition to the window of each credential, a window of `ceiling` calls for a whole tenant, however many keys it
 * creates. A call refused for its own credential does not count for the tenant, once that is known here.
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

/** The window that refuses the call; if none does, that of the credential. */
function lower(own: LimitState, tenant: LimitState): LimitState {
  return own.isAllowed && !tenant.isAllowed ? { ...tenant, isOfTenant: true } : own;
}
