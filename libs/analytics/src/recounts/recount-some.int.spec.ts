import { beforeEach, describe, expect, it } from '@jest/globals';
import { append, contextInTransaction, requeueEvents, takePendingEvents, type UseCaseContext } from '@eas/db';
import type { TaskFacts } from '@eas/contracts';
import { eventually, rowsReadBy, useTestDatabase } from '@eas/testing';
import fc from 'fast-check';
import { followFacts } from '../facts/follow-facts.ts';
import { recordFacts } from '../facts/record-facts.ts';
import { recountSome } from './recount-some.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let numbers = 0;

const emptySql = `TRUNCATE tasks, events, outbox, event_numbers, event_counters, event_cursors, analytics_task_facts,
  analytics_daily_rollups, analytics_recounts, analytics_recounted CASCADE`;
async function startAgain(): Promise<void> {
  await test.database.db.query(emptySql);
  ctx = test.context({ tenantId: await test.createTenant() });
  numbers = 0;
}
beforeEach(startAgain);

const start = Date.parse('2026-03-28T20:00:00Z');
const hourMs = 3_600_000;
const idOf = (task: number) => `tsk_${String(task).padStart(26, '0')}`;
const createdAt = (task: number) => new Date(start + task * hourMs);

type Status = 'created' | 'in_progress' | 'completed';
type Change = { task: number; status: Status; role: string; score: number | null };

/** Brings a task to a state, as use cases do: its row, and an event with its facts. */
function change({ task, status, role, score }: Change): Promise<string> {
  const at = createdAt(task);
  const completedAt = status === 'completed' ? new Date(at.getTime() + 1_000) : null;
  const claimedAt = status === 'created' ? null : at;
  return ctx.inTransaction(async (tx) => {
    const [row] = await tx.db.query<{ version: number }>(
      `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, lease_id, created_at, updated_at, rank,
         version, first_claimed_at, completed_at, code_quality)
       VALUES ($1, $2, 't', 'd', $3, $4, CASE WHEN $3 = 'in_progress' THEN 'lse_1' END, $5, $5, $5, 1, $6, $7, $8)
       ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, assigned_role = excluded.assigned_role,
         lease_id = excluded.lease_id, version = tasks.version + 1, first_claimed_at = excluded.first_claimed_at,
         completed_at = excluded.completed_at, code_quality = excluded.code_quality RETURNING version`,
      [tx.tenantId, idOf(task), status, role, at, claimedAt, completedAt, score],
    );
    const facts: TaskFacts = {
      version: row?.version ?? 0,
      role,
      status,
      created_at: at.toISOString(),
      due_date: null,
      first_claimed_at: claimedAt?.toISOString() ?? null,
      completed_at: completedAt?.toISOString() ?? null,
      code_quality: score,
      requirements_clarity: null,
    };
    const data = { task_id: idOf(task), title: 't', from: 'open', to: 'open', changed: [] };
    return append(tx, { type: 'task.updated', at, data, facts } as never);
  });
}

/** Numbers events as the relay does, takes their rows for it, and makes the consumer due. */
const giveNumbers = (eventIds: readonly string[]) =>
  ctx.inTransaction(async (tx) => {
    for (const eventId of eventIds)
      await tx.db.query('INSERT INTO event_numbers (tenant_id, number, event_id) VALUES ($1, $2, $3)', [
        tx.tenantId,
        (numbers += 1),
        eventId,
      ]);
    await tx.db.query(
      `INSERT INTO event_counters VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET last_number = $2`,
      [tx.tenantId, numbers],
    );
    for (const consumer of ['event.fan_out', 'task.plan', 'run.advance', 'pull_request.open'] as const)
      await takePendingEvents(tx, consumer, eventIds);
    await requeueEvents(tx, 'facts.follow', { eventIds: eventIds.slice(-1), afterMs: 0 });
  });
const pendingOf = (consumer: string) =>
  ctx.db.query<{ id: string }>('SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2', [
    ctx.tenantId,
    consumer,
  ]);
async function follow(): Promise<void> {
  for (const [consumer, run] of [
    ['facts.follow', followFacts],
    ['facts.record', recordFacts],
  ] as const) {
    const ids = (await pendingOf(consumer)).map(({ id }) => id);
    await ctx.inTransaction(async (tx) => {
      const events = await takePendingEvents(tx, consumer, ids);
      if (events.length > 0) await run(contextInTransaction(ctx, tx), events);
    });
  }
}
const recount = (maxTasks?: number) => recountSome(test.database, maxTasks);

/** Tasks of three days, with figures. */
async function handledTasks(count: number): Promise<void> {
  const ids: string[] = [];
  for (let task = 0; task < count; task += 1)
    ids.push(await change({ task, status: 'completed', role: 'rd', score: 7 }));
  await giveNumbers(ids);
  await follow();
}

describe('recountSome', () => {
  it('finds nothing where the figures are right, and writes nothing when it is done with all in one run', async () => {
    await handledTasks(30);
    expect(await recount()).toEqual({ days: 3, differences: [] });
    expect(await test.database.db.query('SELECT FROM analytics_recounts')).toEqual([]);
  });

  it('reports what is stored and what was counted, by tenant, day, role and field', async () => {
    await handledTasks(30);
    await ctx.db.query(
      `UPDATE analytics_daily_rollups SET completed = completed - 2, quality_total = 0 WHERE tenant_id = $1 AND day = '2026-03-29'`,
      [ctx.tenantId],
    );
    await ctx.db.query(
      `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, '2020-01-01', 'qa', 1)`,
      [ctx.tenantId],
    );
    const fields = { completed: { stored: 22, counted: 24 }, qualityTotal: { stored: 0, counted: 168 } };
    const differences = [
      { tenantId: ctx.tenantId, day: '2026-03-29', role: 'rd', fields },
      { tenantId: ctx.tenantId, day: '2020-01-01', role: 'qa', fields: { total: { stored: 1, counted: 0 } } },
    ];
    expect(await recount()).toEqual({ days: 4, differences });
  });

  it('reports a task whose change is in no event, once nothing is pending for the tenant', async () => {
    await handledTasks(3);
    await ctx.db.query(
      `UPDATE tasks SET status = 'failed', completed_at = NULL, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
      [ctx.tenantId, idOf(1)],
    );
    const id = await change({ task: 0, status: 'completed', role: 'qa', score: null });
    expect(await recount()).toMatchObject({ differences: [] });
    await giveNumbers([id]);
    await follow();
    expect(await recount()).toMatchObject({ differences: [{ fields: { completed: { stored: 2, counted: 1 } } }] });
  });

  it('goes on where it was, day by day and tenant by tenant, and comes to each again', async () => {
    await handledTasks(30);
    const first = ctx;
    ctx = test.context({ tenantId: await test.createTenant() });
    numbers = 0;
    await handledTasks(30);
    for (const { tenantId } of [first, ctx])
      await ctx.db.query('UPDATE analytics_daily_rollups SET in_progress = 9 WHERE tenant_id = $1', [tenantId]);
    const results = [];
    for (let run = 0; run < 14; run += 1) results.push(await recount(10));
    expect(results.every(({ days }) => days < 4)).toBe(true);
    const found = results.flatMap(({ differences }) => differences.map(({ tenantId, day }) => `${tenantId} ${day}`));
    const days = ['2026-03-28', '2026-03-29', '2026-03-30'];
    const all = [first.tenantId, ctx.tenantId].sort().flatMap((tenantId) => days.map((day) => `${tenantId} ${day}`));
    expect(found.slice(0, 6)).toEqual(all);
    expect(found.slice(6, 9)).toEqual(all.slice(0, 3));
  });

  it('begins with the first tenant when the tenant that it counted is removed', async () => {
    await handledTasks(30);
    await recount(10);
    await ctx.db.query('DELETE FROM analytics_recounts WHERE tenant_id = $1', [ctx.tenantId]);
    expect(await recount()).toEqual({ days: 3, differences: [] });
  });

  it('reads a bounded number of rows, however many tasks a day has', async () => {
    await ctx.db.query(
      `INSERT INTO tasks (tenant_id, id, title, description, assigned_role, created_at, updated_at, rank)
       SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', 'rd', $2, $2, $2 FROM generate_series(1, 20000) AS n`,
      [ctx.tenantId, new Date(start)],
    );
    await ctx.db.query(
      `INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at)
       SELECT $1, id, 1, 'rd', 'created', created_at FROM tasks WHERE tenant_id = $1`,
      [ctx.tenantId],
    );
    await ctx.db.query(
      `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, $2, 'rd', 20000)`,
      [ctx.tenantId, '2026-03-28'],
    );
    const results: unknown[] = [];
    const run = async () => void results.push(await recount(1_000));
    for (let n = 0; n < 21; n += 1) {
      const read = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, run);
      expect([read['tasks'], read['analytics_task_facts']].every((rows) => (rows ?? 0) < 2_100)).toBe(true);
    }
    expect(results.at(-1)).toEqual({ days: 1, differences: [] });
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
