import type { ChangeTenantBody } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import { append, type UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { eventDataOf, noTenant, patchedLimits, requireKept, shownTenant, type ShownTenant } from './tenant.ts';
import { lockTenant, updateTenant } from './tenant.store.ts';

type Change = { id: string; ifMatch: readonly number[] | undefined; body: ChangeTenantBody };

/** Changes what a tenant may do, from the next request of its callers on. Throws not_found, 412, conflict. */
export async function changeTenant(ctx: UseCaseContext, { id, ifMatch, body }: Change): Promise<ShownTenant> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockTenant(tx, id);
    if (!before) throw noTenant();
    assertVersion(before.version, ifMatch);
    requireKept(before);
    const at = ctx.clock.now();
    const given = {
      name: body.name ?? before.name,
      plan: body.plan === undefined ? before.plan : body.plan,
      rateLimit: body.rate_limit === undefined ? before.rateLimit : body.rate_limit,
      limits: patchedLimits(before.limits, body.limits),
    };
    const after = await updateTenant(tx, { ...before, ...given }, at);
    tx.notify('access', id);
    await recordAudit(tx, ctx.actor, { action: 'tenant.changed', target: id, data: body });
    append(tx, { type: 'tenant.changed', at, data: eventDataOf(after), facts: null });
    return shownTenant(after);
  });
}
