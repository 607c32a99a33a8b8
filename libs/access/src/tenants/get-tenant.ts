import type { UseCaseContext } from '@eas/db';
import { noTenant, shownTenant, type ShownTenant } from './tenant.ts';
import { findTenant } from './tenant.read-model.ts';

/** Throws not_found. */
export async function getTenant(ctx: UseCaseContext, id: string): Promise<ShownTenant> {
  const tenant = await findTenant(ctx, id);
  if (!tenant) throw noTenant();
  return shownTenant(tenant);
}
