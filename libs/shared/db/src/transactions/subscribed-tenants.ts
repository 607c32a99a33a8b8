import type { Tx } from './tx.ts';

const subscribeSql = 'INSERT INTO subscribed_tenants (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING';

/** From the commit on, the tenant's public events are sent to the consumer that delivers them. This is never undone. */
export async function subscribeTenant({ db, tenantId }: Tx): Promise<void> {
  await db.query(subscribeSql, [tenantId]);
}
