import type { Tx, UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { lockForChange, type TenantAction } from './lock-tenant.ts';
import { requireOther, requireSuspended, shownTenant, type ShownTenant } from './tenant.ts';
import { updateTenant } from './tenant.store.ts';

/**
 * Has a suspended tenant deleted with all its rows, by a sweep. `beforehand` is part of the transaction. Throws not_found, 412,
 * and conflict for others.
 */
export async function deleteTenant(
  ctx: UseCaseContext,
  action: TenantAction,
  beforehand: (tx: Tx) => Promise<void>,
): Promise<ShownTenant> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockForChange(tx, action);
    requireOther(before);
    requireSuspended(before);
    if (before.removedAt) return shownTenant(before);
    await beforehand(tx);
    const at = ctx.clock.now();
    const after = await updateTenant(tx, { ...before, removedAt: at }, at);
    await recordAudit(tx, ctx.actor, { action: 'tenant.deleted', target: before.id, data: { slug: before.slug } });
    return shownTenant(after);
  });
}
