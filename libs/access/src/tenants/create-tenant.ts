import type { CreateTenantBody } from '@eas/contracts';
import { newId } from '@eas/core';
import { append, type UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { eventDataOf, patchedTerms, shownTenant, type ShownTenant } from './tenant.ts';
import { insertTenant } from './tenant.store.ts';

/** Creates a tenant without anything in it. Throws conflict when another one has the slug. */
export async function createTenant(ctx: UseCaseContext, body: CreateTenantBody): Promise<ShownTenant> {
  const { slug, name = slug, plan = null, rate_limit: rateLimit = null } = body;
  const createdAt = ctx.clock.now();
  const tenant = {
    id: newId('tenant'),
    slug,
    name,
    plan,
    rateLimit,
    ...patchedTerms({ limits: {}, retention: {} }, body),
    createdAt,
  };
  return ctx.inTransaction(async (tx) => {
    const made = await insertTenant(tx, tenant);
    await recordAudit(tx, ctx.actor, { action: 'tenant.created', target: made.id, data: { ...body } });
    append(tx, { type: 'tenant.created', at: createdAt, data: eventDataOf(made), facts: null });
    return shownTenant(made);
  });
}
