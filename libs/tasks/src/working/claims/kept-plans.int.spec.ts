import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { pagesFetchedBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newTask } from '../../../test/new-task.ts';
import { createTask } from '../../moves/create-task.ts';
import { lockFreePlannable } from '../../records/tasks/plan.store.ts';
import { lockTasks, updateTasks } from '../../records/tasks/task.store.ts';
import { readTaskStates } from '../../reading/task-state.read-model.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { completeTask } from '../leases/complete-task.ts';
import { claimTask } from './claim-task.ts';

const test = useTestDatabase();
const smallTenants = 5_000;
const ofLargest = 20_000;
let ctx: UseCaseContext;

const fillSql = [
  `INSERT INTO tenants (id, slug, name) SELECT 'tnt_' || n, 't' || n, 't' FROM generate_series(1, ${smallTenants}) AS n`,
  `INSERT INTO tasks (tenant_id, id, title, description, status, tags, assigned_role, created_at, updated_at, rank,
     due_date)
   SELECT CASE WHEN n <= ${ofLargest} THEN $1 ELSE 'tnt_' || 1 + n % ${smallTenants} END, 'tsk_' || lpad(n::text, 26, '0'), 't',
     'd', CASE n % 4 WHEN 0 THEN 'open' ELSE 'cancelled' END, '{}', 'qa', now(), now(), now() - n * interval '1 ms',
     now() + n * interval '1 ms'
   FROM generate_series(1, ${ofLargest + 5 * smallTenants}) AS n`,
  'ANALYZE tasks',
];

beforeAll(async () => {
  const actor = { id: newId('apiKey'), isAdmin: true };
  ctx = { ...test.context({ tenantId: await test.createTenant(), actor }), leaseSeconds: 600 };
  for (const sql of fillSql) await ctx.db.query(sql, sql.includes('$1') ? [ctx.tenantId] : []);
});

const ids = [1, 9_000, 9_004, 16_000, 19_999].map((n) => `tsk_${String(n).padStart(26, '0')}`);

async function pagesOf(work: (inside: UseCaseContext) => Promise<unknown>): Promise<number> {
  const scope = { database: test.database, tenantId: ctx.tenantId };
  return (await pagesFetchedBy(scope, (tx) => work(contextInTransaction(ctx, tx))))['tasks'] ?? 0;
}

describe('with many small tenants and a large one, a cached plan', () => {
  it.each<[string, number, (inside: UseCaseContext) => Promise<unknown>]>([
    ['locks tasks', 50, (scope) => lockTasks(scope, ids)],
    ['reads the state of tasks', 50, (scope) => readTaskStates(scope, ids)],
    ['locks tasks that have no plan', 50, (scope) => lockFreePlannable(scope, ids)],
    [
      'writes tasks',
      // Of each row up to three pages of each index.
      50 + ids.length * 3 * 16,
      (scope) =>
        scope.inTransaction(async (tx) => {
          const tasks = await lockTasks(tx, ids);
          updateTasks(
            tx,
            tasks.map((task) => ({ task: { ...task, version: task.version + 1 }, rank: task.createdAt })),
          );
        }),
    ],
  ])('%s by their keys', async (_, most, work) => {
    expect(await pagesOf(work)).toBeLessThan(most);
  });

  it('creates, claims and completes a task by its key', async () => {
    const agent = await createAgent(ctx, { name: 'A', role: 'rd', capabilities: [], max_concurrent_tasks: 9 });
    const pages = await pagesOf(async (inside) => {
      await createTask(inside, newTask());
      const { claim } = await claimTask(inside, { agentId: agent.id });
      if (!claim) throw new Error('nothing was claimed');
      const { lease_id: leaseId, fencing_token } = claim.body.lease;
      await completeTask(inside, { leaseId, body: { fencing_token } });
    });
    expect(pages).toBeLessThan(200);
  });
});

it('every table of tenants has plan_for_largest_tenant, also months that are made later', async () => {
  await test.database.db.query(`SELECT create_event_partitions('2026-01-01')`);
  const rows = await test.database.db.query(`
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id'
      AND NOT coalesce(a.attoptions, '{}') @> '{n_distinct=1}'`);
  expect(rows).toEqual([]);
});
