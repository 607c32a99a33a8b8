import { maxRunHistory, pageOf, type RunFilter } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Db, UseCaseContext } from '@eas/db';
import { createTask } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { followRun } from './follow-run.ts';
import { getRun } from './get-run.ts';
import { listRuns } from './list-runs.ts';
import { listRunTimeline } from './list-run-timeline.ts';

const test = useTestDatabase();
const runs = 20_000;
let ctx: UseCaseContext;

const workflowSql = `
  WITH workflow AS (
    INSERT INTO workflows (tenant_id, id, name, description, step_count, estimated_duration, created_at, updated_at)
    VALUES ($1, 'wfl_1', 'w', 'd', 3, '1 day', app_now(), app_now())
  )
  INSERT INTO workflow_versions (tenant_id, workflow_id, version, definition, created_at, created_by)
  VALUES ($1, 'wfl_1', 1, '{"steps":[{"id":"z","needs":[]},{"id":"a","needs":["z"]},{"id":"m","needs":["z","a"]}]}', app_now(),
    'system')`;
const fillSql = `
  INSERT INTO workflow_runs (tenant_id, id, workflow_id, workflow_version, name, parameters, status, started_at,
    started_by, estimated_completion, paused_at, finished_at)
  SELECT $1, 'run_' || lpad(n::text, 26, '0'), 'wfl_1', 1, CASE WHEN n % 5000 = 1 THEN 'rare' ELSE 'run ' || n % 7 END,
    '{}',
    CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'started' END, app_now() + n * interval '1 ms', 'system',
    app_now() + (n * 7919 % 20000) * interval '1 minute', CASE WHEN n % 3 = 0 THEN app_now() + n * interval '1 ms' END,
    CASE WHEN n % 5000 = 0 THEN app_now() - n * interval '1 ms' END
  FROM generate_series(1, ${runs}) AS n`;

beforeAll(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await ctx.db.query(workflowSql, [ctx.tenantId]);
  await ctx.db.query(fillSql, [ctx.tenantId]);
  await ctx.db.query('ANALYZE workflow_runs');
});

type Plan = Record<string, number> & { Plans?: Plan[] };
const rowsRead = ({ Plans: inner = [], ...node }: Plan): number =>
  inner.length > 0
    ? inner.reduce((sum, plan) => sum + rowsRead(plan), 0)
    : (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0));

/** The same context, which counts statements and the most rows that one of them read. */
function watched() {
  const seen = { statements: 0, rows: 0 };
  const query: Db['query'] = async (text, values, options) => {
    const [row] = await ctx.db.query<Record<string, { Plan: Plan }[]>>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    seen.statements += 1;
    seen.rows = Math.max(seen.rows, rowsRead(row?.['QUERY PLAN']?.[0]?.Plan as Plan));
    return ctx.db.query(text, values, options);
  };
  return { seen, watching: { ...ctx, db: { ...ctx.db, query } } };
}

const page = (filter: RunFilter, options: Parameters<typeof pageOf>[0] = {}, context = ctx) =>
  listRuns(context, filter, pageOf({ sort: '-started_at', ...options }));

type Found = Awaited<ReturnType<typeof page>>;

describe('the list of runs', () => {
  it('finds the last failures without reading the other runs', async () => {
    const { seen, watching } = watched();
    const filter = { status: 'failed', finished_after: new Date(Date.now() - 3_600_000) } as const;
    const found = await page(filter, { sort: '-finished_at', limit: 2 }, watching);
    const ids = found.items.map(({ workflow_run_id: id }) => Number(id.slice(4)));
    expect([ids, found.total]).toEqual([[5_000, 10_000], 4]);
    expect(seen.rows).toBeLessThan(100);
  });

  it('finds the few runs of a state without reading the others', async () => {
    const { seen, watching } = watched();
    const found = await page({ status: 'failed' }, {}, watching);
    expect([found.total, found.items.length, seen.statements]).toEqual([4, 4, 2]);
    expect(seen.rows).toBeLessThan(100);
  });

  it('finds the runs of a name without reading the others', async () => {
    const { seen, watching } = watched();
    expect((await page({ name: 'rare' }, { sort: 'name' }, watching)).total).toBe(4);
    expect(seen.rows).toBeLessThan(100);
  });

  it.each(['name', 'workflow_run_id', 'estimated_completion', 'paused_at', 'finished_at'])(
    'pages through all runs by %s in both directions, each once',
    async (field) => {
      for (const sort of [field, `-${field}`]) {
        const seen: string[] = [];
        let after: string | null = '';
        while (after !== null) {
          const found: Found = await page({ name: 'run 3', status: 'started' }, { sort, after, limit: 100 });
          seen.push(...found.items.map(({ workflow_run_id: id }) => id));
          after = found.nextCursor;
        }
        const { total } = await page({ name: 'run 3', status: 'started' });
        expect([seen.length, new Set(seen).size]).toEqual([total, total]);
      }
    },
  );
});

/** A run of three steps, the first two of them with tasks, and this many entries of its timeline. */
async function runWithHistory(entries: number) {
  const id = newId('run');
  const draft = { title: 't', description: 'd', priority: 'medium', due_date: null, tags: [], metadata: {} } as const;
  const [done, open] = await Promise.all(
    [1, 2].map(() => createTask(ctx, { ...draft, tags: [], assigned_role: null, assigned_agent: null })),
  );
  await ctx.db.query(
    `INSERT INTO workflow_runs (tenant_id, id, workflow_id, workflow_version, name, parameters, started_at, started_by,
       estimated_completion, timeline_seq)
     VALUES ($1, $2, 'wfl_1', 1, 'r', '{"a":1}', app_now(), 'system', app_now(), $3)`,
    [ctx.tenantId, id, entries],
  );
  await ctx.db.query(
    `INSERT INTO run_steps (tenant_id, run_id, key, id, position, name, role, status, task_id, result)
     SELECT $1, $2, key, 'stp_' || key, position, key, 'rd', status, task, result::jsonb
     FROM (VALUES ('z', 0, 'completed', $3, '{"sha":"a"}'), ('a', 1, 'in_progress', $4, NULL),
       ('m', 2, 'pending', NULL, NULL)) AS s (key, position, status, task, result)`,
    [ctx.tenantId, id, done?.id, open?.id],
  );
  await ctx.db.query(
    `INSERT INTO run_timeline (tenant_id, run_id, seq, kind, at, actor, data)
     SELECT $1, $2, n, 'paused', app_now(), 'system', '{}' FROM generate_series(1, $3::int) AS n`,
    [ctx.tenantId, id, entries],
  );
  return { id, taskIds: [done?.id, open?.id] };
}

describe('a run', () => {
  it('is read with steps, what they need and history in two statements once its definition is known', async () => {
    const { id, taskIds } = await runWithHistory(3);
    await getRun(ctx, id);
    const { seen, watching } = watched();
    const { body, version } = await getRun(watching, id);
    expect([seen.statements, version, body.parameters]).toEqual([2, 1, { a: 1 }]);
    expect(body.steps.map(({ key, task_id: task, result }) => [key, task, result])).toEqual([
      ['z', taskIds[0], { sha: 'a' }],
      ['a', taskIds[1], null],
      ['m', null, null],
    ]);
    expect(body.steps.map(({ needs }) => needs)).toEqual([[], ['z'], ['z', 'a']]);
    expect(body.current_step?.id).toBe('stp_a');
    expect(body.history.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('shows the newest of a long history, and its timeline all of it', async () => {
    const entries = maxRunHistory + 5;
    const { id } = await runWithHistory(entries);
    const { body } = await getRun(ctx, id);
    expect([body.history.length, body.history[0]?.seq, body.history.at(-1)?.seq]).toEqual([maxRunHistory, 6, entries]);
    expect((await listRunTimeline(ctx, id, {}, pageOf({ sort: '-seq' }))).total).toBe(entries);
  });

  it('can be followed by number, whatever was read before', async () => {
    const { id } = await runWithHistory(250);
    await runWithHistory(10);
    const history = await followRun(ctx, id);
    const seen: number[] = [];
    for (let at = 0; ; at = seen.at(-1) ?? 0) {
      const entries = await history.readAfter(at, 100);
      seen.push(...entries.map(({ number }) => number));
      if (entries.length < 100) break;
    }
    expect([history.key, history.last]).toEqual([id, 250]);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  it('is not visible to another tenant', async () => {
    const { id } = await runWithHistory(1);
    const other = test.context({ tenantId: await test.createTenant() });
    const notFound = expect.objectContaining({ code: 'not_found' });
    await expect(getRun(other, id)).rejects.toEqual(notFound);
    await expect(followRun(other, id)).rejects.toEqual(notFound);
    await expect(listRunTimeline(other, id, {}, pageOf({ sort: '-seq' }))).rejects.toEqual(notFound);
    expect((await page({ workflow_run_id: id }, {}, other)).total).toBe(0);
  });
});
