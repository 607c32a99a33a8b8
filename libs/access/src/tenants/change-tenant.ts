import type { ChangeTenantBody } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { lockForChange, type TenantAction } from './lock-tenant.ts';
import { eventDataOf, patchedTerms, requireKept, shownTenant, type ShownTenant } from './tenant.ts';
import { updateTenant } from './tenant.store.ts';

type Change = TenantAction & { body: ChangeTenantBody };

/** Changes what a tenant may do, from the next request of its callers on. Throws not_found, 412, conflict. */
export async function changeTenant(ctx: UseCaseContext, { body, ...action }: Change): Promise<ShownTenant> {
  const { id } = action;
  return ctx.inTransaction(async (tx) => {
    const before = await lockForChange(tx, action);
    requireKept(before);
    const at = ctx.clock.now();
    const given = {
      name: body.name ?? before.name,
      plan: body.plan === undefined ? before.plan : body.plan,
      rateLimit: body.rate_limit === undefined ? before.rateLimit : body.rate_limit,
      ...patchedTerms(before, body),
    };
    const after = await updateTenant(tx, { ...before, ...given }, at);
    tx.notify('access', id);
    await recordAudit(tx, ctx.actor, { action: 'tenant.changed', target: id, data: body });
    append(tx, { type: 'tenant.changed', at, data: eventDataOf(after), facts: null });
    return shownTenant(after);
  });
}
