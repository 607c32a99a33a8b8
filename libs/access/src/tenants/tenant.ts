import {
  defaultTenantId,
  type TenantLimit,
  type TenantLimitField,
  type TenantResource,
  type TenantStatus,
  type TenantTerms,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import { formatOptional } from '../rules/timestamps.ts';

export type Tenant = Pick<TenantTerms, 'suspendedReason' | 'rateLimit' | 'limits'> & {
  id: string;
  slug: string;
  name: string;
  plan: string | null;
  suspendedAt: Date | null;
  removedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** The names of row limits in the contract. */
const limitFields: Record<TenantLimit, TenantLimitField> = {
  agents: 'agents',
  keys: 'api_keys',
  endpoints: 'webhooks',
  integrations: 'integrations',
  workflows: 'workflows',
  projects: 'projects',
  profiles: 'profiles',
  policies: 'permission_policies',
  runners: 'runners',
  budgets: 'budgets',
};
const limitNames = Object.entries(limitFields) as [TenantLimit, TenantLimitField][];

/** The limits after a patch: null removes one. */
export function patchedLimits(
  before: TenantTerms['limits'],
  patch: Readonly<Partial<Record<TenantLimitField, number | null | undefined>>> = {},
): TenantTerms['limits'] {
  const after = limitNames.map(([name, field]) => [name, patch[field] === undefined ? before[name] : patch[field]]);
  return Object.fromEntries(after.filter(([, value]) => value !== undefined && value !== null));
}

const statusOf = ({ removedAt, suspendedAt }: Tenant): TenantStatus =>
  removedAt ? 'deleting' : suspendedAt ? 'suspended' : 'active';

export function tenantResource(tenant: Tenant): TenantResource {
  const { id, slug, name, plan, rateLimit, limits } = tenant;
  const named = limitNames.map(([key, field]) => [field, limits[key]] as const);
  return {
    id,
    slug,
    name,
    plan,
    rate_limit: rateLimit,
    limits: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    status: statusOf(tenant),
    suspended_at: formatOptional(tenant.suspendedAt),
    suspended_reason: tenant.suspendedReason,
    created_at: formatTimestamp(tenant.createdAt),
    updated_at: formatTimestamp(tenant.updatedAt),
  };
}

/** A tenant as the contract shows it, with the version that its ETag names. */
export type ShownTenant = { body: TenantResource; version: number };

export const shownTenant = (tenant: Tenant): ShownTenant => ({ body: tenantResource(tenant), version: tenant.version });

/** What events say of a tenant. */
export const eventDataOf = ({ id, slug, name, plan }: Pick<Tenant, 'id' | 'slug' | 'name' | 'plan'>) => ({
  tenant_id: id,
  slug,
  name,
  plan,
});

export const noTenant = () => new AppError('not_found', { message: 'The tenant does not exist.' });

const refuse = (message: string) => new AppError('conflict', { field: '', constraint: 'state', message });

/** Throws conflict `state` for the operator's own tenant. */
export function requireOther({ id }: Pick<Tenant, 'id'>): void {
  if (id === defaultTenantId) throw refuse('The tenant of the operator cannot be suspended or deleted.');
}

/** Throws conflict `state` for a tenant that is being deleted. */
export function requireKept({ removedAt }: Pick<Tenant, 'removedAt'>): void {
  if (removedAt) throw refuse('The tenant is being deleted.');
}

/** Throws conflict `state` for a tenant that is in use. */
export function requireSuspended({ suspendedAt }: Pick<Tenant, 'suspendedAt'>): void {
  if (!suspendedAt) throw refuse('Suspend the tenant first. Only a suspended tenant can be deleted.');
}
