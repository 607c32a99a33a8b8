import { append, type Tx, type UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { lockForChange, type TenantAction } from './lock-tenant.ts';
import { eventDataOf, requireKept, requireOther, shownTenant, type ShownTenant, type Tenant } from './tenant.ts';
import { updateTenant } from './tenant.store.ts';

/** `isChanged` false: it was like that already, and nothing was written. */
export type TenantChange = ShownTenant & { isChanged: boolean };

/**
 * From now on callers of the tenant get 403 with the reason; another reason replaces the earlier one. Throws not_found,
 * 412, and conflict for the operator's tenant and one that is being deleted.
 */
export function suspendTenant(ctx: UseCaseContext, action: TenantAction & { reason: string }): Promise<TenantChange> {
  const { reason } = action;
  return change(ctx, action, async (tx, before, at) => {
    if (before.suspendedReason === reason) return undefined;
    const suspended = { suspendedAt: before.suspendedAt ?? at, suspendedReason: reason };
    const after = await updateTenant(tx, { ...before, ...suspended }, at);
    await recordAudit(tx, ctx.actor, { action: 'tenant.suspended', target: before.id, data: { reason } });
    append(tx, { type: 'tenant.suspended', at, data: { ...eventDataOf(after), reason }, facts: null });
    return after;
  });
}

/** The tenant may be used again. Throws not_found, 412, and conflict as suspending does. */
export function resumeTenant(ctx: UseCaseContext, action: TenantAction): Promise<TenantChange> {
  return change(ctx, action, async (tx, before, at) => {
    if (!before.suspendedAt) return undefined;
    const after = await updateTenant(tx, { ...before, suspendedAt: null, suspendedReason: null }, at);
    await recordAudit(tx, ctx.actor, { action: 'tenant.resumed', target: before.id });
    append(tx, { type: 'tenant.resumed', at, data: eventDataOf(after), facts: null });
    return after;
  });
}

/** Undefined of `write`: nothing changes. */
function change(
  ctx: UseCaseContext,
  action: TenantAction,
  write: (tx: Tx, before: Tenant, at: Date) => Promise<Tenant | undefined>,
): Promise<TenantChange> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockForChange(tx, action);
    requireOther(before);
    requireKept(before);
    const after = await write(tx, before, ctx.clock.now());
    if (after) tx.notify('access', action.id);
    return { ...shownTenant(after ?? before), isChanged: after !== undefined };
  });
}
