import { assertBelowLimit, type DbScope, subscribeTenant, type Tx } from '@eas/db';
import type { Endpoint } from './endpoint.ts';

/** From now on the tenant's public events fan out. `secret` is sealed. Throws conflict `limit` at `max` endpoints. */
export async function insertEndpoint(tx: Tx, endpoint: Endpoint, max: number): Promise<void> {
  const { db, tenantId } = tx;
  await assertBelowLimit(tx, 'endpoints', max, () =>
    db.prisma.endpoint.count({ where: { tenantId, deletedAt: null } }),
  );
  await db.prisma.endpoint.create({ data: { tenantId, ...endpoint }, select: { id: true } });
  await subscribeTenant(tx);
}

/** Ends an endpoint's deliveries for good. False: it was disabled or gone already. */
export async function disableEndpoint({ db, tenantId }: DbScope, id: string, at: Date): Promise<boolean> {
  const { count } = await db.prisma.endpoint.updateMany({
    where: { tenantId, id, status: { not: 'disabled' }, deletedAt: null },
    data: { status: 'disabled', updatedAt: at, version: { increment: 1 } },
  });
  return count > 0;
}
