import { type Page, type PageOfItems, type UsageFigures, usageFigureNames } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, type SortKey } from '@eas/db';
import { figureSql, usageColumnsSql, type UsageRow } from './usage-row.ts';

export type TenantUsageRow = UsageRow & { id: string; tenantId: string; slug: string; name: string };
export type UsageFilter = { month: string | undefined; tenantId: string | undefined };

/** A cursor carries whole numbers. */
const sortKeyOf = (name: keyof UsageFigures): [string, SortKey] => {
  const sql = name === 'model_cost_usd' ? 'cost' : figureSql(name);
  return [name, { sql, type: 'bigint', isNullable: name.endsWith('storage_bytes') }];
};

const source: ListSource = {
  from: 'operator_usage',
  columns: `id, of_tenant AS "tenantId", slug, name, ${usageColumnsSql}`,
  sortable: {
    slug: { sql: 'slug', type: 'text' },
    name: { sql: 'name', type: 'text', isLong: true },
    month: { sql: `to_char(month, 'YYYY-MM')`, type: 'text' },
    ...Object.fromEntries(usageFigureNames.map(sortKeyOf)),
  },
};

const conditionsOf = ({ month, tenantId }: UsageFilter) => [
  equals('month', month && `${month}-01`),
  equals('of_tenant', tenantId),
];

/** Months of all tenants, for the operator. */
export const pageTenantUsage = (
  scope: DbScope,
  filter: UsageFilter,
  page: Page,
): Promise<PageOfItems<TenantUsageRow>> => fetchPage(scope, source, conditionsOf(filter), page);

const rowsSql = `
  SELECT ${source.columns} FROM operator_usage
  WHERE tenant_id = $1 AND ($2::date IS NULL OR month = $2) AND ($3::text IS NULL OR of_tenant = $3)
  ORDER BY month, slug, id LIMIT $4`;

/** The same in the order of months and tenants. */
export const readTenantUsage = (
  { db, tenantId: operator }: DbScope,
  { month, tenantId }: UsageFilter,
  limit: number,
): Promise<TenantUsageRow[]> =>
  db.query(rowsSql, [operator, month ? `${month}-01` : null, tenantId ?? null, limit], { isPrepared: false });

const knownSql = 'SELECT 1 FROM analytics_tenants WHERE tenant_id = $1';

/** Whether there is a tenant. */
export async function isTenant({ db }: Pick<DbScope, 'db'>, tenantId: string): Promise<boolean> {
  return (await db.query(knownSql, [tenantId])).length > 0;
}
