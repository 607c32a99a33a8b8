import { pagesFetchedBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readPerformance } from './performance.read-model.ts';

const test = useTestDatabase();
const overdue = 50_000;
let tenantId = '';

/** Of every four facts two are overdue, one is final and one is due later; roles by turns. */
const fillSql = `
  INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at, due_date)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 1, CASE WHEN n % 3 = 0 THEN 'rd' ELSE 'qa' END,
    CASE WHEN n % 4 = 2 THEN 'cancelled' ELSE 'open' END, now() - n * interval '1 s',
    now() + CASE WHEN n % 4 = 3 THEN interval '9 days' ELSE - (n * 7919 % 100000) * interval '1 ms' END
  FROM generate_series(1, ${2 * overdue}) AS n`;

/** Without a role there is no other row to count. */
const agentSql = `
  INSERT INTO agents (tenant_id, id, name, role, capabilities, created_at, updated_at)
  VALUES ($1, 'agt_1', 'a', 'rd', '{}', now(), now())`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  await test.database.db.query(agentSql, [tenantId]);
  await test.database.inTransaction(tenantId, async ({ db }) => {
    // Pages are known to be visible to all when what filled them is in the log.
    await db.query('SET LOCAL synchronous_commit = on');
    await db.query(fillSql, [tenantId]);
  });
  await test.database.db.query('VACUUM ANALYZE analytics_task_facts');
});

describe('overdue tasks', () => {
  it.each([
    ['of all roles', undefined, overdue],
    ['of one role', 'rd', Math.floor(overdue / 3)],
  ])('%s are counted in the index, not task by task', async (_, role, expected) => {
    const start = new Date(Date.now() - 90 * 86_400_000);
    let counted = 0;
    const pages = await pagesFetchedBy({ database: test.database, tenantId }, async (scope) => {
      counted = (await readPerformance(scope, { start, end: new Date(), role })).overdue;
    });
    expect(Math.abs(counted - expected)).toBeLessThan(2);
    expect(pages['analytics_task_facts']).toBeLessThan(overdue / 20);
  });
});
