import type { TenantTerms } from '@eas/contracts';

/** SQL of the terms of the tenant `t`, null where the installation's apply. */
export const termsSql = `CASE WHEN t.suspended_reason IS NOT NULL OR t.rate_limit IS NOT NULL OR t.limits <> '{}'
  THEN json_build_object('suspendedReason', t.suspended_reason, 'rateLimit', t.rate_limit, 'limits', t.limits) END`;

/** The part of a principal. */
export const withTerms = (terms: TenantTerms | null): { tenant?: TenantTerms } => (terms ? { tenant: terms } : {});
