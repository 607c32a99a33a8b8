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

const disableSql = `
  UPDATE endpoints SET status = 'disabled', updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND status <> 'disabled' AND deleted_at IS NULL
  RETURNING id`;

/** Ends an endpoint's deliveries for good. False: it was disabled or gone already. */
export async function disableEndpoint({ db, tenantId }: DbScope, endpointId: string): Promise<boolean> {
  const rows = await db.query<{ id: string }>(disableSql, [tenantId, endpointId]);
  return rows.length > 0;
}
