import { sweepEach, type UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { correctFacts, recordNewestFacts } from '../facts/fact.store.ts';
import type { TaskFactsOfTask } from '../facts/newest-facts.ts';
import { readPerformance } from '../performance.read-model.ts';
import { recountSome } from '../recounts/recount-some.ts';
import { startRebuilds } from '../recounts/recount.sweeper.ts';
import { nextOverdueAt, sweepOverdue } from './overdue.sweeper.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await test.database.db.query('TRUNCATE analytics_overdue_marks, analytics_overdue');
});
afterEach(() => test.shiftClock(0));

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const sweep = () => sweepEach(test.database, sweepOverdue);

type State = { task: number; status: string; role: string; dueMs: number | null };
const factsOf = ({ task, status, role, dueMs }: State, version: number): TaskFactsOfTask => ({
  task_id: `tsk_${task}`,
  version,
  role,
  status,
  created_at: new Date(today - (task % 3) * dayMs).toISOString(),
  due_date: dueMs === null ? null : new Date(Date.now() + dueMs).toISOString(),
  first_claimed_at: null,
  completed_at: status === 'completed' ? new Date(today).toISOString() : null,
  code_quality: null,
  requirements_clarity: null,
  sent_back: 0,
});
const record = (facts: TaskFactsOfTask[]) =>
  ctx.inTransaction(({ db }) => recordNewestFacts({ db, tenantId: ctx.tenantId }, facts));

const directSql = `
  SELECT count(*)::int AS n FROM analytics_task_facts
  WHERE tenant_id = $1 AND due_date < app_now() AND status NOT IN ('completed', 'failed', 'cancelled') AND created_at >= $2
    AND ($3::text IS NULL OR role = $3)`;
/** What is read, and what a count of the tasks themselves gives. */
async function expectCounted(): Promise<void> {
  for (const start of [today, today - dayMs, today - 30 * dayMs])
    for (const role of [undefined, 'rd']) {
      const range = { start: new Date(start), end: new Date(today + dayMs), role };
      const [direct] = await ctx.db.query<{ n: number }>(directSql, [ctx.tenantId, range.start, role ?? null]);
      expect((await readPerformance(ctx, range)).overdue).toBe(direct?.n);
    }
}

describe('the number of overdue tasks', () => {
  it('is that of the tasks as they are, whatever changes, becomes due and is counted in between', async () => {
    const step = fc.record({
      task: fc.nat(7),
      status: fc.constantFrom('open', 'open', 'in_progress', 'completed', 'cancelled'),
      role: fc.constantFrom('rd', 'qa'),
      dueMs: fc.option(fc.integer({ min: -300, max: 600 }).map((seconds) => seconds * 1_000)),
      then: fc.constantFrom('nothing', 'sweep', 'later', 'earlier'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        let seconds = 0;
        await test.shiftClock(0);
        ctx = test.context({ tenantId: await test.createTenant() });
        for (const [index, { then, ...state }] of steps.entries()) {
          const swept = then === 'sweep' ? sweep() : undefined;
          await Promise.all([record([factsOf(state, index + 1)]), swept]);
          if (then === 'later' || then === 'earlier') {
            seconds += then === 'later' ? 170 : -110;
            await test.shiftClock(seconds);
          }
          await expectCounted();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is counted with a minute of delay, and the next time is known', async () => {
    await record([factsOf({ task: 1, status: 'open', role: 'rd', dueMs: 100_000 }, 1)]);
    const counted = () =>
      ctx.db.query('SELECT n FROM analytics_overdue WHERE tenant_id = $1 AND n > 0', [ctx.tenantId]);
    const waitsMs = Number(await nextOverdueAt(test.database.db)) - Date.now();
    expect(Math.abs(waitsMs - 160_000)).toBeLessThan(5_000);
    await test.shiftClock(130);
    await sweep();
    expect(await counted()).toEqual([]);
    await test.shiftClock(190);
    await sweep();
    expect(await counted()).toEqual([{ n: 1 }]);
    expect(await nextOverdueAt(test.database.db)).toBeNull();
    await record([factsOf({ task: 1, status: 'completed', role: 'rd', dueMs: 100_000 }, 2)]);
    expect(await counted()).toEqual([]);
  });

  it('is counted again by a rebuild', async () => {
    const facts = Array.from({ length: 9 }, (_, task) =>
      factsOf({ task, status: 'open', role: 'rd', dueMs: -task * 120_000 - 120_000 }, 1),
    );
    await record(facts);
    await sweep();
    await ctx.db.query('UPDATE analytics_overdue SET n = n + 5 WHERE tenant_id = $1', [ctx.tenantId]);
    await ctx.db.query(
      `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, created_at, updated_at, rank, due_date)
       SELECT tenant_id, task_id, 't', 'd', status, role, created_at, created_at, created_at, due_date
       FROM analytics_task_facts WHERE tenant_id = $1`,
      [ctx.tenantId],
    );
    await startRebuilds(test.database.db, ctx.tenantId);
    await recountSome(test.database);
    await expectCounted();
    await sweep();
    await expectCounted();
    await ctx.inTransaction(({ db }) => correctFacts({ db, tenantId: ctx.tenantId }, facts.slice(3)));
    await expectCounted();
  });

  it('is read from a few rows, however many tasks are overdue, also those that were due at the same time', async () => {
    await ctx.db.query(
      `INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at, due_date)
       SELECT $1, 'tsk_' || n, 1, 'rd', 'open', now() - n % 60 * interval '1 day',
         now() - interval '1 day' - (n % 30 / 10 * 7919 * n % 100000) * interval '1 s'
       FROM generate_series(1, 40000) AS n`,
      [ctx.tenantId],
    );
    // A role without an agent or a task has no row.
    await ctx.db.query(
      `INSERT INTO agents (tenant_id, id, name, role, capabilities, created_at, updated_at)
       VALUES ($1, 'agt_1', 'a', 'rd', '{}', now(), now())`,
      [ctx.tenantId],
    );
    await test.database.db.query('VACUUM ANALYZE analytics_task_facts');
    for (let run = 0; run < 3; run += 1) await sweep();
    await expectCounted();
    const range = { start: new Date(today - 90 * dayMs), end: new Date(), role: undefined };
    const read = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, (scope) =>
      readPerformance(scope, range),
    );
    expect(read['analytics_task_facts'] ?? 0).toBe(0);
    expect(read['analytics_overdue']).toBeLessThanOrEqual(60);
  });
});
