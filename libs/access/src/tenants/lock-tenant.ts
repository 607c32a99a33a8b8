import { assertVersion } from '@eas/core';
import type { Tx } from '@eas/db';
import { noTenant, type Tenant } from './tenant.ts';
import { lockTenant } from './tenant.store.ts';

export type TenantAction = { id: string; ifMatch: readonly number[] | undefined };

/** Locks a tenant for a change. Throws not_found, 412. */
export async function lockForChange(tx: Tx, { id, ifMatch }: TenantAction): Promise<Tenant> {
  const tenant = await lockTenant(tx, id);
  if (!tenant) throw noTenant();
  assertVersion(tenant.version, ifMatch);
  return tenant;
}
