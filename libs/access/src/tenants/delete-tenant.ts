import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { noTenant, requireOther, requireSuspended, shownTenant, type ShownTenant } from './tenant.ts';
import { lockTenant, updateTenant } from './tenant.store.ts';
import type { TenantAction } from './suspend-tenant.ts';

/** Has a suspended tenant deleted with all its rows, by a sweep. Throws not_found, 412, and conflict for others. */
export async function deleteTenant(ctx: UseCaseContext, { id, ifMatch }: TenantAction): Promise<ShownTenant> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockTenant(tx, id);
    if (!before) throw noTenant();
    assertVersion(before.version, ifMatch);
    requireOther(before);
    requireSuspended(before);
    if (before.removedAt) return shownTenant(before);
    const at = ctx.clock.now();
    const after = await updateTenant(tx, { ...before, removedAt: at }, at);
    await recordAudit(tx, ctx.actor, { action: 'tenant.deleted', target: id, data: { slug: before.slug } });
    return shownTenant(after);
  });
}
