import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordNewestFacts } from './fact.store.ts';
import type { TaskFactsOfTask } from './newest-facts.ts';

const test = useTestDatabase();
let tenantId = '';

const fillSql = `
  INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 1, 'rd', 'created', now() FROM generate_series(1, 100000) AS n`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  // The planner has the statistics from before the tasks.
  await test.database.db.query('VACUUM ANALYZE analytics_task_facts');
  await test.database.db.query(fillSql, [tenantId]);
});

const facts = Array.from({ length: 100 }, (_, n) => ({
  task_id: `tsk_${String(n + 1).padStart(26, '0')}`,
  version: 2,
  role: 'rd',
  status: 'completed',
  created_at: new Date().toISOString(),
  due_date: null,
  first_claimed_at: null,
  completed_at: null,
  code_quality: null,
  requirements_clarity: null,
})) as unknown as TaskFactsOfTask[];

describe.each(['with old statistics', 'with current statistics'])('with the facts of 100,000 tasks, %s', (known) => {
  beforeAll(async () => {
    if (known === 'with current statistics') await test.database.db.query('ANALYZE analytics_task_facts');
  });

  it('the facts of tasks are recorded by reading only those tasks', async () => {
    const read = await rowsReadBy({ database: test.database, tenantId }, (scope) => recordNewestFacts(scope, facts));
    expect(read['analytics_task_facts']).toBeLessThan(1_000);
  });
});
