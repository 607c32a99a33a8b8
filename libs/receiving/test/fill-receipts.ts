import type { TestDatabase } from '@eas/testing';
import { newId } from '@eas/core';

export type Receipts = { tenantId: string; integrationIds: string[]; ids: string[] };

const receiptsSql = `
  INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, external_id, body, received_at, status,
    settled_at, outcome)
  SELECT $1, 'inb_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'taskplatform', ($2::text[])[1 + n % 10],
    'taskUpdated', (n % 10000)::text, '{}', now(), CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'applied' END, now(), 'done'
  FROM generate_series(1, 100000) AS n RETURNING id`;

/** 100,000 receipts of ten integrations about 10,000 things, which the planner's statistics do not know of. */
export async function fillReceipts(test: TestDatabase): Promise<Receipts> {
  const tenantId = await test.createTenant();
  const { db } = test.database;
  await db.query('VACUUM ANALYZE inbound_events');
  const integrationIds = Array.from({ length: 10 }, () => newId('integration'));
  const rows = await db.query<{ id: string }>(receiptsSql, [tenantId, integrationIds]);
  return { tenantId, integrationIds, ids: rows.map(({ id }) => id) };
}

export async function learnReceipts({ database: { db } }: TestDatabase): Promise<void> {
  await db.query('ANALYZE inbound_events');
}
