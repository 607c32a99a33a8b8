import { publicEventConsumer } from '@eas/contracts';
import type { Tx } from './tx.ts';

const subscribeSql = 'INSERT INTO subscribed_tenants (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING';

/** From the commit on, the tenant's public events are sent to the consumer that delivers them. This is never undone. */
export async function subscribeTenant({ db, tenantId }: Tx): Promise<void> {
  await db.query(subscribeSql, [tenantId]);
}

/** Whether an outbox row is a public event of a tenant that never subscribed, which no consumer needs. */
export const isUnsubscribedSql = `consumer = '${publicEventConsumer}' AND NOT EXISTS (
      SELECT FROM subscribed_tenants s WHERE s.tenant_id = outbox.tenant_id
    )`;
