import { defaultTenantId, type Principal } from '@eas/contracts';
import { AppError } from '@eas/core';

/**
 * Whether a caller belongs to the operator: the tenant that every installation has, with its first administrator. Only
 * the operator sees what tenants share.
 */
export const isOfOperator = ({ tenantId }: Pick<Principal, 'tenantId'>): boolean => tenantId === defaultTenantId;

/** Throws forbidden for callers of all other tenants. */
export function requireOperator(principal: Pick<Principal, 'tenantId'>): void {
  if (isOfOperator(principal)) return;
  throw new AppError('forbidden', { message: 'All tenants share this, so only the operator can use it.' });
}
