import type { UseCaseContext } from '@eas/db';
import type { ContextOf } from '../preparation/seed.ts';
import { StartError } from '@eas/core';

/** A context of the tenant with that slug. Throws a StartError when there is none. */
export async function tenantContext(contextOf: ContextOf, slug: string): Promise<UseCaseContext> {
  const tenant = await contextOf().db.prisma.tenant.findFirst({ where: { slug }, select: { id: true } });
  if (!tenant) throw new StartError(`Unknown tenant: ${slug}.`);
  return contextOf(tenant.id);
}
