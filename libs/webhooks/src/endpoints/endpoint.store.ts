import type { DbScope, Tx } from '@eas/db';
import type { Endpoint } from './endpoint.ts';

const subscribeSql = 'INSERT INTO subscribed_tenants (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING';

/** Adds an endpoint, and has the tenant's public events fanned out from now on. `secret` is sealed. */
export async function insertEndpoint({ db, tenantId }: Tx, endpoint: Endpoint): Promise<void> {
  await db.prisma.endpoint.create({ data: { tenantId, ...endpoint }, select: { id: true } });
  await db.query(subscribeSql, [tenantId]);
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
