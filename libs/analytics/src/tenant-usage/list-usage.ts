import {
  maxTenantUsageRows,
  type MonthlyUsage,
  type Page,
  type PageOfItems,
  type TenantUsage,
  type tenantUsageColumns,
} from '@eas/contracts';
import { AppError, type Constraint } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import {
  isTenant,
  pageTenantUsage,
  readTenantUsage,
  type TenantUsageRow,
  type UsageFilter,
} from './operator-usage.read-model.ts';
import { pageMonths } from './tenant-usage.read-model.ts';
import { monthlyUsageOf } from './usage-row.ts';

/** The months of the tenant itself. Throws invalid_request for a month in the future. */
export async function listMonthlyUsage(
  ctx: UseCaseContext,
  filter: Pick<UsageFilter, 'month'>,
  page: Page,
): Promise<PageOfItems<MonthlyUsage>> {
  checkMonth(ctx, filter.month);
  const { items, ...rest } = await pageMonths(ctx, filter, page);
  return { items: items.map(monthlyUsageOf), ...rest };
}

/** Months of tenants, for the operator. Throws invalid_request for an unknown tenant and a month in the future. */
export async function listTenantUsage(
  ctx: UseCaseContext,
  filter: UsageFilter,
  page: Page,
): Promise<PageOfItems<TenantUsage>> {
  const { items, ...rest } = await pageTenantUsage(ctx, await checkedFilter(ctx, filter), page);
  return { items: items.map(tenantUsageOf), ...rest };
}

export type TenantUsageExport = Pick<TenantUsage, (typeof tenantUsageColumns)[number]>[];

/** The same without pages. Throws invalid_request also for too many rows. */
export async function exportTenantUsage(ctx: UseCaseContext, filter: UsageFilter): Promise<TenantUsageExport> {
  const rows = await readTenantUsage(ctx, await checkedFilter(ctx, filter), maxTenantUsageRows + 1);
  if (rows.length > maxTenantUsageRows)
    throw refusal('month', 'max', `has more than ${maxTenantUsageRows} rows: read the list in pages`);
  return rows.map(tenantUsageOf);
}

/** Without a month and a tenant: the current month. */
async function checkedFilter(ctx: UseCaseContext, { month, tenantId }: UsageFilter): Promise<UsageFilter> {
  checkMonth(ctx, month);
  if (tenantId === undefined) return { month: month ?? ctx.clock.now().toISOString().slice(0, 7), tenantId };
  if (await isTenant(ctx, tenantId)) return { month, tenantId };
  throw refusal('tenant_id', 'format', 'must be the id of a tenant of this installation');
}

const dayMs = 86_400_000;

function checkMonth({ clock }: UseCaseContext, month: string | undefined): void {
  // Where the caller is, the next month may have begun.
  if (month === undefined || Date.parse(`${month}-01`) < clock.now().getTime() + dayMs) return;
  throw refusal('month', 'max', 'must not be in the future');
}

const refusal = (field: string, constraint: Constraint, message: string) =>
  new AppError('invalid_request', { violations: [{ field, constraint, message }] });

const tenantUsageOf = (row: TenantUsageRow): TenantUsage => ({
  tenant_id: row.tenantId,
  slug: row.slug,
  name: row.name,
  ...monthlyUsageOf(row),
});
