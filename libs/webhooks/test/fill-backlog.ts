import type { TestDatabase } from '@eas/testing';
import { makeEndpoint } from '../src/deliveries/delivery.fixture.ts';

export type Backlog = { tenantId: string; endpoints: string[]; eventIds: string[] };

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.commented', now(), '{}'
  FROM generate_series(1, $2) AS n RETURNING event_id`;
const numbersSql = `
  INSERT INTO event_numbers (tenant_id, number, event_id)
  SELECT tenant_id, row_number() OVER (ORDER BY event_id), event_id FROM events WHERE tenant_id = $1`;
const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, created_at)
  SELECT $1, e.event_id, p.id, 'dlv_' || p.id || e.event_id, 'pending', 0, app_now() - interval '1 minute', app_now()
  FROM events e, unnest($2::text[]) AS p (id) WHERE e.tenant_id = $1`;

/** 100,000 due deliveries of 10,000 events to ten endpoints, which the planner's statistics do not know of. */
export async function fillBacklog(test: TestDatabase): Promise<Backlog> {
  const tenantId = await test.createTenant();
  const { db } = test.database;
  const endpoints: string[] = [];
  for (let n = 0; n < 10; n += 1)
    endpoints.push(await makeEndpoint(test.context({ tenantId }), `https://example.com/${n}`));
  for (const table of ['events', 'event_numbers', 'deliveries']) await db.query(`VACUUM ANALYZE ${table}`);
  const made = await db.query<{ event_id: string }>(eventsSql, [tenantId, 10_000]);
  await db.query(numbersSql, [tenantId]);
  await db.query(deliveriesSql, [tenantId, endpoints]);
  return { tenantId, endpoints, eventIds: made.map(({ event_id: id }) => id) };
}

export async function learnBacklog({ database: { db } }: TestDatabase): Promise<void> {
  for (const table of ['events', 'event_numbers', 'deliveries']) await db.query(`ANALYZE ${table}`);
}
