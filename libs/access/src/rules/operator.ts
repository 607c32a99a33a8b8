import { defaultTenantId, type Principal } from '@eas/contracts';
import { AppError } from '@eas/core';

/**
 * Whether somebody belongs to the operator: the tenant that every installation has, and that its first administrator
 * is made in. What tenants share is shown to no one else.
 */
export const isOfOperator = ({ tenantId }: Pick<Principal, 'tenantId'>): boolean => tenantId === defaultTenantId;

/** Throws forbidden for callers of all other tenants. */
export function requireOperator(principal: Pick<Principal, 'tenantId'>): void {
  if (isOfOperator(principal)) return;
  throw new AppError('forbidden', { message: 'All tenants share this, so only the operator can use it.' });
}
