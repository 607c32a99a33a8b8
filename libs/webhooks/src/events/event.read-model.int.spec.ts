import { pageOf } from '@eas/contracts';
import type { Db } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pageEvents } from './event.read-model.ts';

const test = useTestDatabase();
const common = ['task.created', 'task.updated', 'task.completed'];
const rare = 'pr.merged';
let tenantId = '';

const fillSql = `
  WITH made AS (INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now() - n * interval '1 second') || lpad(n::text, 16, '0'),
    CASE WHEN n % 10000 = 0 THEN $3 ELSE ($2::text[])[1 + n % 3] END, now() - n * interval '1 second', '{}'
  FROM generate_series(1, 40000) AS n RETURNING tenant_id, event_id)
  INSERT INTO event_numbers (tenant_id, number, event_id)
  SELECT tenant_id, row_number() OVER (ORDER BY event_id), event_id FROM made`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  await test.database.db.query(fillSql, [tenantId, common, rare]);
  await test.database.db.query('VACUUM ANALYZE events, event_numbers');
});

type Plan = Record<string, number> & { Plans?: Plan[] };

/** Rows that a plan took from tables and indexes, also those that it passed over. */
function rowsRead({ Plans: inner = [], ...node }: Plan): number {
  if (inner.length > 0) return inner.reduce((sum, plan) => sum + rowsRead(plan), 0);
  const passedOver = node['Rows Removed by Filter'] ?? 0;
  return (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + passedOver);
}

/** The page, and the most rows that one of its statements read. */
async function readOf(types: readonly string[], filter: { event_type?: string } = {}) {
  const { db } = test.database;
  let most = 0;
  const query: Db['query'] = async (text, values, options) => {
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
    const [row] = await db.query<Record<string, { Plan: Plan }[]>>(explain, values, options);
    most = Math.max(most, rowsRead(row?.['QUERY PLAN']?.[0]?.Plan as Plan));
    return db.query(text, values, options);
  };
  const page = await pageEvents({ db: { ...db, query }, tenantId }, types, filter, pageOf({ sort: '-event_id' }));
  return { page, most };
}

describe('the list of events', () => {
  it('finds and counts events of a rare type without reading the others', async () => {
    const { page, most } = await readOf([...common, rare], { event_type: rare });
    expect([page.total, page.items.length]).toEqual([4, 4]);
    expect(most).toBeLessThan(100);
  });

  it('reads no more for somebody who may read rare types alone', async () => {
    const { page, most } = await readOf([rare, 'pr.closed', 'webhook.paused']);
    expect([page.total, page.items.length]).toEqual([4, 4]);
    expect(most).toBeLessThan(100);
  });
});
