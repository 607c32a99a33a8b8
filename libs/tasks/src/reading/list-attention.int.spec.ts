import { maxCounted, pageOf, type TaskFilter } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { countTasks } from './count-tasks.ts';
import { listTasks } from './list-tasks.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;

/**
 * 67 of 100,000 tasks are overdue, 40 in review and 40 failed today; most of the completed ones have a past due date.
 * One agent has 2,000 of them, one has half.
 */
const fillSql = `
  INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, due_date, status,
    assigned_agent, completed_at, waits_since)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', '{}', at, at, at, due, status,
    CASE WHEN n % 50 = 7 THEN 'agt_few' WHEN n % 2 = 0 THEN 'agt_many' END, CASE status WHEN 'completed' THEN at END,
    CASE WHEN n % 2500 = 2 THEN now() - n * interval '1 ms' ELSE at END
  FROM (
    SELECT n, now() - interval '300 days' + n * interval '1 ms' AS at,
      CASE WHEN n % 2500 = 0 OR n % 3 > 0 THEN now() - n * interval '1 minute' ELSE now() + interval '9 days' END AS due,
      CASE WHEN n % 2500 = 0 THEN 'open' WHEN n % 2500 = 1 THEN 'in_review' WHEN n % 2500 = 2 OR n % 20 = 3 THEN 'failed'
        WHEN n % 20 = 6 AND n % 3 = 0 THEN 'open' ELSE 'completed' END AS status
    FROM generate_series(1, 100000) AS n
  ) AS numbered`;

const agentsSql = `
  INSERT INTO agents (tenant_id, id, name, role, created_at, updated_at)
  SELECT $1, id, 'Agent', 'rd', app_now(), app_now() FROM unnest('{agt_few,agt_many}'::text[]) AS id`;

beforeAll(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await ctx.db.query(agentsSql, [ctx.tenantId]);
  await ctx.db.query(fillSql, [ctx.tenantId]);
  await ctx.db.query('ANALYZE tasks');
});

const day = () => new Date(Date.now() - 86_400_000);

/** Reads two pages, and counts the rows of tasks that their statements read. */
async function read(filter: TaskFilter, sort: Parameters<typeof pageOf>[0]['sort']) {
  const found: Awaited<ReturnType<typeof listTasks>>[] = [];
  const rows = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, async (scope) => {
    const page = async (after: string) => {
      const list = await listTasks({ ...ctx, ...scope }, filter, pageOf({ limit: 5, after, sort }));
      found.push(list);
      return list.nextCursor ?? '';
    };
    await page(await page(''));
  });
  return { found, read: rows['tasks'] ?? 0 };
}

describe('lists of what needs attention, among 100,000 tasks', () => {
  it.each([
    ['overdue tasks, the longest overdue first', { is_overdue: 'true' } as const, 'due_date', 67],
    ['overdue tasks, the last ones first', { is_overdue: 'true' } as const, '-due_date', 67],
    ['tasks in review, the longest waiting first', { review_by: 'person' }, 'review_since', 40],
    ['tasks that failed in the last day, the last ones first', { failed_after: day() }, '-failed_at', 40],
  ] as const)('read only %s', async (_, filter, sort, total) => {
    const { found, read: rows } = await read(filter, sort);
    expect(found.map((list) => [list.items.length, list.total])).toEqual([
      [5, total],
      [5, total],
    ]);
    expect(rows).toBeLessThan(300);
  });

  it('read no task to count them by status', async () => {
    let counts: Awaited<ReturnType<typeof countTasks>> | undefined;
    const rows = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, async (scope) => {
      counts = await countTasks({ ...ctx, ...scope });
    });
    expect(counts?.by_status).toMatchObject({ in_review: 40, blocked: 0 });
    expect(rows['tasks']).toBeUndefined();
  });
});

describe('lists by due date, among 100,000 tasks', () => {
  it.each([
    ['few', 'due_date', 2_000],
    ['few', '-due_date', 2_000],
    ['many', 'due_date', maxCounted],
    ['many', '-due_date', maxCounted],
  ] as const)('read a page of the tasks of an agent that has %s, sorted by %s', async (agent, sort, total) => {
    const { found, read: rows } = await read({ assigned_agent: `agt_${agent}` }, sort);
    expect(found.map((list) => [list.items.length, list.total])).toEqual([
      [5, total],
      [5, total],
    ]);
    // The rows of both totals, and of the pages.
    expect(rows).toBeLessThanOrEqual(2 * (total + 1) + 100);
  });
});

/** The oldest 15,000 of 50,000 tasks have no agent. */
const fillUnassignedSql = `
  INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, status, waits_since,
    assigned_agent)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', '{}', at, at, at, 'open', at,
    CASE WHEN n > 15000 THEN 'agt_' || n % 2 END
  FROM generate_series(1, 50000) AS n, LATERAL (SELECT now() - interval '300 days' + n * interval '1 ms' AS at) AS made`;

describe('tasks without an agent, among 35,000 newer ones that have one', () => {
  beforeAll(async () => {
    ctx = test.context({ tenantId: await test.createTenant() });
    await ctx.db.query(
      `INSERT INTO agents (tenant_id, id, name, role, created_at, updated_at)
       SELECT $1, 'agt_' || n, 'Agent', 'rd', app_now(), app_now() FROM generate_series(0, 1) AS n`,
      [ctx.tenantId],
    );
    await ctx.db.query(fillUnassignedSql, [ctx.tenantId]);
    await ctx.db.query('ANALYZE tasks');
  });

  it.each(['-created_at', 'created_at'] as const)('are read alone, sorted by %s', async (sort) => {
    const { found, read: rows } = await read({ assigned_agent: 'none' }, sort);
    expect(found.map((list) => [list.items.length, list.total])).toEqual([
      [5, maxCounted],
      [5, maxCounted],
    ]);
    expect(rows).toBeLessThanOrEqual(2 * (maxCounted + 1) + 100);
  });
});
