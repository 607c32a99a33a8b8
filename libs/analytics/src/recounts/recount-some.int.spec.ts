import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DbScope, Tx } from '@eas/db';
import { eventually, rowsReadBy, useTestDatabase } from '@eas/testing';
import fc from 'fast-check';
import { recountSome } from './recount-some.ts';
import { idOf, start, type Status, useTaskHistory } from './task-history.fixture.ts';

const test = useTestDatabase();
const { startAgain, nextTenant, change, giveNumbers, pendingOf, follow, handledTasks, ctx } = useTaskHistory(test);
beforeEach(() => startAgain());

const recount = (maxTasks?: number) => recountSome(test.database, maxTasks);

describe('recountSome', () => {
  it('finds nothing where the figures are right, and writes nothing when it is done with all in one run', async () => {
    await handledTasks(30);
    expect(await recount()).toMatchObject({ days: 3, differences: [] });
    expect(await test.database.db.query('SELECT FROM analytics_recounts')).toEqual([]);
  });

  it('reports what is stored and what was counted, by tenant, day, role and field', async () => {
    await handledTasks(30);
    await ctx().db.query(
      `UPDATE analytics_daily_rollups SET completed = completed - 2, quality_total = 0 WHERE tenant_id = $1 AND day = '2026-03-29'`,
      [ctx().tenantId],
    );
    await ctx().db.query(
      `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, '2020-01-01', 'qa', 1)`,
      [ctx().tenantId],
    );
    const fields = { completed: { stored: 22, counted: 24 }, qualityTotal: { stored: 0, counted: 168 } };
    const differences = [
      { tenantId: ctx().tenantId, day: '2026-03-29', role: 'rd', fields },
      { tenantId: ctx().tenantId, day: '2020-01-01', role: 'qa', fields: { total: { stored: 1, counted: 0 } } },
    ];
    expect(await recount()).toEqual({ tasks: 30, correctedFacts: 0, correctedRollups: 0, days: 4, differences });
  });

  it('reports a task whose change is in no event, once nothing is pending for the tenant', async () => {
    await handledTasks(3);
    await ctx().db.query(
      `UPDATE tasks SET status = 'failed', completed_at = NULL, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
      [ctx().tenantId, idOf(1)],
    );
    const id = await change({ task: 0, status: 'completed', role: 'qa', score: null });
    expect(await recount()).toMatchObject({ differences: [] });
    await giveNumbers([id]);
    await follow();
    expect(await recount()).toMatchObject({ differences: [{ fields: { completed: { stored: 2, counted: 1 } } }] });
  });

  it('goes on where it was, day by day and tenant by tenant, and comes to each again', async () => {
    await handledTasks(30);
    const first = ctx();
    await nextTenant();
    await handledTasks(30);
    for (const { tenantId } of [first, ctx()])
      await ctx().db.query('UPDATE analytics_daily_rollups SET in_progress = 9 WHERE tenant_id = $1', [tenantId]);
    const results = [];
    for (let run = 0; run < 14; run += 1) results.push(await recount(10));
    expect(results.every(({ days }) => days < 4)).toBe(true);
    const found = results.flatMap(({ differences }) => differences.map(({ tenantId, day }) => `${tenantId} ${day}`));
    const days = ['2026-03-28', '2026-03-29', '2026-03-30'];
    const all = [first.tenantId, ctx().tenantId].sort().flatMap((tenantId) => days.map((day) => `${tenantId} ${day}`));
    expect(found.slice(0, 6)).toEqual(all);
    expect(found.slice(6, 9)).toEqual(all.slice(0, 3));
  });

  it('begins with the first tenant when the tenant that it counted is removed', async () => {
    await handledTasks(30);
    await recount(10);
    await ctx().db.query('DELETE FROM analytics_recounts WHERE tenant_id = $1', [ctx().tenantId]);
    expect(await recount()).toMatchObject({ days: 3, differences: [] });
  });

  it('reads a bounded number of rows, however many tasks a day has', async () => {
    await ctx().db.query(
      `INSERT INTO tasks (tenant_id, id, title, description, assigned_role, created_at, updated_at, rank)
       SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', 'rd', $2, $2, $2 FROM generate_series(1, 20000) AS n`,
      [ctx().tenantId, new Date(start)],
    );
    await ctx().db.query(
      `INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at)
       SELECT $1, id, 1, 'rd', 'created', created_at FROM tasks WHERE tenant_id = $1`,
      [ctx().tenantId],
    );
    await ctx().db.query(
      `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, $2, 'rd', 20000)`,
      [ctx().tenantId, '2026-03-28'],
    );
    const results: unknown[] = [];
    const run = async (scope: DbScope) =>
      results.push(await recountSome({ inTransaction: (_tenant, work) => work(scope as Tx) }, 1_000));
    for (let n = 0; n < 21; n += 1) {
      const read = await rowsReadBy({ database: test.database, tenantId: ctx().tenantId }, run);
      expect(Object.entries(read).filter(([, rows]) => rows > 2_100)).toEqual([]);
      expect(read['tasks']).toBeGreaterThan(n < 20 ? 999 : -1);
    }
    expect(results.at(-1)).toMatchObject({ days: 1, differences: [] });
  });

  it('never reports a difference over a random history, whatever is followed and counted at the same time', async () => {
    const step = fc.record({
      task: fc.nat(11),
      status: fc.constantFrom<Status>('created', 'in_progress', 'completed'),
      role: fc.constantFrom('rd', 'qa'),
      score: fc.option(fc.nat(100)),
      recounted: fc.option(fc.integer({ min: 1, max: 12 })),
      follows: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), fc.nat(6), async (steps, held) => {
        await startAgain();
        const waiting: string[] = [];
        for (const { recounted, follows, ...next } of steps) {
          const numbered = waiting.length > held ? waiting.splice(0).reverse() : [];
          const [id, ...results] = await Promise.all([
            change(next),
            recounted === null ? { differences: [] } : recount(recounted),
            numbered.length > 0 && giveNumbers(numbered).then(follow),
            ...Array.from({ length: follows }, follow),
          ]);
          waiting.push(id);
          expect(results[0]).toMatchObject({ differences: [] });
        }
        if (waiting.length > 0) await giveNumbers(waiting);
        await eventually(async () => {
          await follow();
          expect(await recount(4)).toMatchObject({ differences: [] });
          return (await pendingOf('facts.follow')).length === 0;
        });
        for (let run = 0; run < 8; run += 1) expect(await recount(4)).toMatchObject({ differences: [] });
      }),
      { numRuns: 15 },
    );
  });
});
