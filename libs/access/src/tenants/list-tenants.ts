import type { Page, PageOfItems, TenantResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { tenantResource } from './tenant.ts';
import { pageTenants, type TenantFilter } from './tenant.read-model.ts';

/** Tenants of the installation; `ctx` is of the operator. */
export async function listTenants(
  ctx: UseCaseContext,
  filter: TenantFilter,
  page: Page,
): Promise<PageOfItems<TenantResource>> {
  const { items, ...rest } = await pageTenants(ctx, filter, page);
  return { ...rest, items: items.map(tenantResource) };
}
