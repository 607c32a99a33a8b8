import {
  defaultTenantId,
  type TenantLimit,
  type TenantLimitField,
  type TenantResource,
  type TenantRetention,
  type TenantRetentionField,
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
  retention: TenantRetention;
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

/** The names of days in the contract. */
const retentionFields: Record<keyof TenantRetention, TenantRetentionField> = {
  receiptDays: 'receipt_days',
  auditDays: 'audit_days',
};
const retentionNames = Object.entries(retentionFields) as [keyof TenantRetention, TenantRetentionField][];

type Names<N extends string, F extends string> = readonly (readonly [N, F])[];
type Numbers<N extends string> = Readonly<Partial<Record<N, number>>>;
type Patch<F extends string> = Readonly<Partial<Record<F, number | null | undefined>>>;

function patched<N extends string, F extends string>(names: Names<N, F>, before: Numbers<N>, patch: Patch<F>) {
  const after = names.map(([name, field]) => [name, patch[field] === undefined ? before[name] : patch[field]]);
  return Object.fromEntries(after.filter(([, value]) => value !== undefined && value !== null)) as Numbers<N>;
}

/** The limits and the retention of a tenant after a patch: null removes a value. */
export const patchedTerms = (
  before: Pick<Tenant, 'limits' | 'retention'>,
  { limits = {}, retention = {} }: { limits?: Patch<TenantLimitField>; retention?: Patch<TenantRetentionField> },
): Pick<Tenant, 'limits' | 'retention'> => ({
  limits: patched(limitNames, before.limits, limits),
  retention: patched(retentionNames, before.retention, retention),
});

/** The values that are there, by their names in the contract. */
function shown<N extends string, F extends string>(names: Names<N, F>, values: Numbers<N>): Partial<Record<F, number>> {
  const all = names.map(([name, field]) => [field, values[name]] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Partial<Record<F, number>>;
}

const statusOf = ({ removedAt, suspendedAt }: Tenant): TenantStatus =>
  removedAt ? 'deleting' : suspendedAt ? 'suspended' : 'active';

export function tenantResource(tenant: Tenant): TenantResource {
  const { id, slug, name, plan, rateLimit } = tenant;
  return {
    id,
    slug,
    name,
    plan,
    rate_limit: rateLimit,
    limits: shown(limitNames, tenant.limits),
    retention: shown(retentionNames, tenant.retention),
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
