import type { DbScope } from '@eas/db';
import type { Endpoint } from './endpoint.ts';

/** Adds an endpoint. `secret` is sealed. */
export async function insertEndpoint({ db, tenantId }: DbScope, endpoint: Endpoint): Promise<void> {
  await db.prisma.endpoint.create({ data: { tenantId, ...endpoint }, select: { id: true } });
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
