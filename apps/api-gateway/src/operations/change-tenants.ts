import {
  createTenant,
  createUser,
  deleteTenant,
  linkPath,
  resumeTenant,
  type ShownTenant,
  suspendTenant,
  type TenantAction,
  type TenantChange,
} from '@eas/access';
import { closeTenantUsage } from '@eas/analytics';
import { type CreateTenantBody, scopes, type TenantResource } from '@eas/contracts';
import { contextInTransaction, contextOfOther, type UseCaseContext } from '@eas/db';
import { holdEndpoints, releaseEndpoints } from '@eas/webhooks';
import { ensureShippedWorkflows, type ShippedDefinition } from '@eas/workflows';

type NewTenant = { body: CreateTenantBody; shipped: readonly ShippedDefinition[] };

/** A tenant with the shipped workflows, and the path of a link for its first administrator if one is named. */
export function addTenant(
  ctx: UseCaseContext,
  { body, shipped }: NewTenant,
): Promise<{ tenant: TenantResource; adminPath?: string }> {
  return ctx.inTransaction(async (tx) => {
    const inner = contextInTransaction(ctx, tx);
    const { body: tenant } = await createTenant(inner, body);
    // The audit log of a tenant names no one of another.
    const own = { ...contextOfOther(inner, tx, tenant.id), actor: { id: 'system' } };
    await ensureShippedWorkflows(own, shipped);
    const { admin_email: email } = body;
    if (email === undefined) return { tenant };
    const admin = { email, name: email, role: 'admin' as const };
    const { linkToken = '' } = await createUser(own, { body: admin, scopes });
    return { tenant, adminPath: linkPath(linkToken) };
  });
}

/** A change of a tenant, and of its webhooks if there was one: both or none. */
const switching =
  <A extends TenantAction>(
    change: (ctx: UseCaseContext, action: A) => Promise<TenantChange>,
    changeWebhooks: typeof holdEndpoints,
  ) =>
  (ctx: UseCaseContext, action: A): Promise<ShownTenant> =>
    ctx.inTransaction(async (tx) => {
      const inner = contextInTransaction(ctx, tx);
      const { isChanged, ...shown } = await change(inner, action);
      if (isChanged) await changeWebhooks(contextOfOther(inner, tx, action.id));
      return shown;
    });

/** Its callers are refused, and its deliveries are kept. */
export const stopTenant = switching(suspendTenant, holdEndpoints);
export const startTenant = switching(resumeTenant, releaseEndpoints);

/** It is deleted by a sweep. What it used until now can be billed. */
export const endTenant = (ctx: UseCaseContext, action: TenantAction): Promise<ShownTenant> =>
  deleteTenant(ctx, action, (tx) => closeTenantUsage(tx, action.id));
