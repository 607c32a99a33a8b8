import { defaultTenantId, type Page, type PageOfItems, tenantStatuses } from '@eas/contracts';
import { type Db, type DbScope, equalFields, fetchPage, type ListSource, selectList } from '@eas/db';
import type { Tenant } from './tenant.ts';

export const tenantFields = {
  id: true,
  slug: true,
  name: true,
  plan: true,
  rateLimit: true,
  limits: true,
  retention: true,
  suspendedAt: true,
  suspendedReason: true,
  removedAt: true,
  createdAt: true,
  updatedAt: true,
  version: true,
} as const;

/** One tenant, whatever its status. */
export async function findTenant({ db }: { db: Db }, id: string): Promise<Tenant | undefined> {
  return ((await db.prisma.tenant.findFirst({ where: { id }, select: tenantFields })) as Tenant | null) ?? undefined;
}

/** The rule of `statusOf`, for the filter and the sort. */
const statusSql = `CASE WHEN removed_at IS NOT NULL THEN 'deleting'
  WHEN suspended_at IS NOT NULL THEN 'suspended' ELSE 'active' END`;

/** All tenants are listed as rows of the operator. */
const source = {
  from: `(SELECT '${defaultTenantId}'::text AS tenant_id, * FROM tenants) AS tenants`,
  columns: selectList(tenantFields),
  sortable: {
    id: { sql: 'id', type: 'text' },
    slug: { sql: 'slug', type: 'text' },
    name: { sql: 'name', type: 'text' },
    plan: { sql: 'plan', type: 'text', isNullable: true },
    status: { sql: statusSql, type: 'text', order: tenantStatuses },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
  },
} as const satisfies ListSource;

export type TenantFilter = { [F in keyof typeof source.sortable]?: string | Date | undefined };

export const pageTenants = (scope: DbScope, filter: TenantFilter, page: Page): Promise<PageOfItems<Tenant>> =>
  fetchPage<Tenant>(scope, source, equalFields(source, filter), page);
