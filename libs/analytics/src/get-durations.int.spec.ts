import { DDSketch } from '@datadog/sketches-js';
import { durationQuantiles, type DurationDistribution, type DurationFigures, type StoredEvent } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recordFacts } from './facts/record-facts.ts';
import { getDurationRows, getDurations } from './get-durations.ts';
import { recountSome } from './recounts/recount-some.ts';
import { startRebuilds } from './recounts/recount.sweeper.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
});

const dayMs = 86_400_000;
const firstDay = Date.parse('2026-03-27T00:00:00Z');
const [from, to] = [new Date(firstDay), new Date(firstDay + 3 * dayMs)];

type State = {
  task: number;
  status: 'completed' | 'open';
  role: 'rd' | 'qa' | null;
  agent: 'agt_a' | 'agt_b' | null;
  sentBack: number;
  readyMs: number;
  waitingMs: number | null;
  cycleMs: number;
};

/** The facts of an event, after the row has been written as a use case does. */
async function change(state: State, version: number): Promise<StoredEvent> {
  const { task, status, role, agent, sentBack } = state;
  const createdAt = new Date(firstDay + task * 7 * 3_600_000);
  const readyAt = new Date(createdAt.getTime() + state.readyMs);
  const claimedAt = state.waitingMs === null ? null : new Date(readyAt.getTime() + state.waitingMs);
  const completedAt = status === 'completed' ? new Date((claimedAt ?? readyAt).getTime() + state.cycleMs) : null;
  await ctx.db.query(
    `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, created_at, updated_at, rank, version,
       first_claimed_at, completed_at, completed_by, sent_back, reopened_at)
     VALUES ($1, $2, 't', 'd', $3, $4, $5, $5, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, assigned_role = excluded.assigned_role,
       version = excluded.version, first_claimed_at = excluded.first_claimed_at, completed_at = excluded.completed_at,
       completed_by = excluded.completed_by, sent_back = excluded.sent_back, reopened_at = excluded.reopened_at`,
    [ctx.tenantId, `tsk_${task}`, status, role, createdAt, version, claimedAt, completedAt, agent, sentBack, readyAt],
  );
  const facts = {
    version,
    role,
    status,
    created_at: createdAt.toISOString(),
    due_date: null,
    first_claimed_at: claimedAt?.toISOString() ?? null,
    completed_at: completedAt?.toISOString() ?? null,
    code_quality: null,
    requirements_clarity: null,
    sent_back: sentBack,
    ready_at: readyAt.toISOString(),
    ...(status === 'completed' && agent !== null ? { agent } : {}),
  };
  const data = { task_id: `tsk_${task}`, title: 't', from: 'open', to: status, changed: [] };
  return { eventId: `evt_${version}`, type: 'task.updated', occurredAt: createdAt, data, dataText: '{}', facts };
}

const record = (events: StoredEvent[]) => ctx.inTransaction((tx) => recordFacts(contextInTransaction(ctx, tx), events));

type Completed = {
  day: string;
  role: string;
  agent: string;
  sentBack: number;
  cycleMs: number | null;
  waitingMs: number | null;
};
const readCompleted = () =>
  ctx.db.query<Completed>(
    `SELECT to_char(completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, role, agent, sent_back AS "sentBack",
       extract(epoch FROM completed_at - first_claimed_at)::float8 * 1000 AS "cycleMs",
       extract(epoch FROM first_claimed_at - ready_at)::float8 * 1000 AS "waitingMs"
     FROM analytics_task_view WHERE tenant_id = $1 AND status = 'completed'`,
    [ctx.tenantId],
  );

function expectDistribution(found: DurationDistribution | null, durations: (number | null)[]): void {
  const sorted = durations.filter((ms) => ms !== null).toSorted((a, b) => a - b);
  if (sorted.length === 0) return expect(found).toBeNull();
  const mean_seconds = Math.round(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length / 1_000);
  expect(found).toMatchObject({ count: sorted.length, mean_seconds });
  for (const [name, quantile] of Object.entries(durationQuantiles)) {
    const exact = Math.max(1, (sorted[Math.floor(quantile * (sorted.length - 1))] ?? 0) / 1_000);
    const value = found?.[name as keyof DurationDistribution] ?? 0;
    expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.05 * exact + 0.51);
  }
}

function expectFigures(found: DurationFigures | undefined, tasks: Completed[]): void {
  expect(found).toMatchObject({
    completed: tasks.length,
    reworked: tasks.filter(({ sentBack }) => sentBack > 0).length,
    rework_rounds: tasks.reduce((sum, { sentBack }) => sum + sentBack, 0),
  });
  const of = (key: 'cycleMs' | 'waitingMs') => tasks.map((task) => task[key]);
  expectDistribution(found?.cycle_time ?? null, of('cycleMs'));
  expectDistribution(found?.waiting_time ?? null, of('waitingMs'));
}

async function expectAll(): Promise<void> {
  const tasks = await readCompleted();
  for (const grouping of ['role', 'agent'] as const) {
    const { total, groups, points } = await getDurations(ctx, { group_by: grouping, from, to });
    expectFigures(total, tasks);
    const keys = Map.groupBy(
      tasks.filter((task) => grouping === 'role' || task.agent !== ''),
      (task) => task[grouping],
    );
    expect(groups.map(({ key }) => key).toSorted()).toEqual([...keys.keys()].toSorted());
    for (const group of groups) expectFigures(group, keys.get(group.key) ?? []);
    for (const point of points) {
      expectFigures(
        point,
        tasks.filter(({ day }) => point.at.startsWith(day)),
      );
    }
  }
}

const state = fc.record<State>({
  task: fc.nat(9),
  status: fc.constantFrom('completed', 'completed', 'open'),
  role: fc.constantFrom('rd', 'qa', null),
  agent: fc.constantFrom('agt_a', 'agt_b', null),
  sentBack: fc.nat(3),
  readyMs: fc.nat(1e5),
  waitingMs: fc.option(fc.nat(4e6)),
  cycleMs: fc.oneof(fc.nat(3_000), fc.nat(4e6)),
});

describe('durations of tasks', () => {
  it('are those of the tasks as they are, whatever the order and the batches of their events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(state, { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        async (states, order, size) => {
          ctx = test.context({ tenantId: await test.createTenant() });
          const events: StoredEvent[] = [];
          for (const [index, one] of states.entries()) events.push(await change(one, index + 1));
          const shuffled = events
            .map((event, index) => ({ event, place: order[index] ?? 0 }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ event }) => event);
          while (shuffled.length > 0) await record(shuffled.splice(0, size));
          await expectAll();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of one role, agent or day are given by key and range', async () => {
    const base = { task: 0, status: 'completed', sentBack: 0, readyMs: 0, waitingMs: 60_000 } as const;
    const mine = await change({ ...base, role: 'rd', agent: 'agt_a', cycleMs: 120_000 }, 1);
    const other = await change({ ...base, task: 1, role: 'qa', agent: 'agt_b', cycleMs: 7_200_000, sentBack: 2 }, 1);
    await record([mine, other]);
    const { total, groups, points } = await getDurations(ctx, { group_by: 'agent', key: 'agt_b', from, to });
    expect(total).toMatchObject({
      completed: 1,
      reworked: 1,
      rework_rounds: 2,
      cycle_time: { count: 1, mean_seconds: 7_200 },
    });
    expect(groups).toEqual([{ key: 'agt_b', ...total }]);
    expect(points).toHaveLength(4);
    expect(points[0]).toEqual({ at: '2026-03-27T00:00:00Z', ...total });
    const later = await getDurations(ctx, { group_by: 'role', from: new Date(firstDay + dayMs), to });
    expect(later).toMatchObject({ total: { completed: 0, cycle_time: null, waiting_time: null }, groups: [] });
    const rows = await getDurationRows(ctx, { group_by: 'role', from, to });
    expect(rows.map(({ key, completed }) => [key, completed])).toEqual([
      ['', 2],
      ['qa', 1],
      ['rd', 1],
    ]);
  });

  it('of facts that an earlier version recorded come with a rebuild', async () => {
    const states: State[] = Array.from({ length: 8 }, (_, task) => ({
      ...{ task, status: 'completed', role: 'rd', agent: 'agt_a', sentBack: task % 2, readyMs: 0 },
      ...{ waitingMs: 30_000, cycleMs: 60_000 * (task + 1) },
    }));
    const events: StoredEvent[] = [];
    for (const [index, one] of states.entries()) {
      const event = await change(one, index + 1);
      const { agent: _, sent_back: __, ready_at: ___, ...facts } = event.facts as Record<string, unknown>;
      events.push({ ...event, facts } as StoredEvent);
    }
    await record(events);
    const read = async () => (await getDurations(ctx, { group_by: 'agent', from, to })).total.completed;
    expect(await read()).toBe(0);
    await startRebuilds(test.database.db, ctx.tenantId);
    for (let run = 0; run < 5; run += 1) await recountSome(test.database, 3);
    expect(await read()).toBe(8);
    await expectAll();
  });

  it('are read by days and keys, however many other days there are', async () => {
    await ctx.db.query(
      `INSERT INTO analytics_durations (tenant_id, dimension, day, key, completed, cycle)
       SELECT $1, dimension, $2::date - n, key, 1, '{1}'
       FROM generate_series(1, 2000) AS n, (VALUES ('tasks', ''), ('role', 'rd'), ('role', 'qa')) AS d (dimension, key)`,
      [ctx.tenantId, from],
    );
    await test.database.db.query('ANALYZE analytics_durations');
    const query = { group_by: 'role', from: new Date(firstDay - 2 * dayMs), to } as const;
    const read = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, (scope) =>
      getDurations({ ...ctx, ...scope }, query),
    );
    expect(read['analytics_durations']).toBeLessThan(20);
  });
});

describe('durations of steps', () => {
  const completed = (key: string, seconds: number, attempt: number): StoredEvent<'workflow.step_completed'> => ({
    eventId: `evt_${key}${seconds}`,
    type: 'workflow.step_completed',
    occurredAt: from,
    dataText: '{}',
    data: {
      ...{ workflow_run_id: 'run_1', workflow_id: 'wfl_1', name: 'n', step_id: 'stp_1', step_name: 's', role: 'rd' },
      ...{ task_id: 'tsk_1', completed_by: null, attempt },
      ...{ step_key: key, started_at: from.toISOString() },
      completion_time: new Date(firstDay + seconds * 1_000).toISOString(),
    },
    facts: null,
  });

  it('are those of each step of a workflow, and of all of them, with their further attempts as rework', async () => {
    await record([completed('build', 60, 1), completed('build', 180, 3), completed('test', 30, 1)]);
    const { total, groups } = await getDurations(ctx, { group_by: 'step', from, to });
    expect(total).toMatchObject({ completed: 3, reworked: 1, rework_rounds: 2, waiting_time: null });
    expect(groups).toMatchObject([
      { key: 'wfl_1/build', completed: 2, rework_rounds: 2, cycle_time: { count: 2, mean_seconds: 120 } },
      { key: 'wfl_1/test', completed: 1, cycle_time: { count: 1, mean_seconds: 30 } },
    ]);
  });

  it('count nothing for an event of an earlier version, which does not say when the step started', async () => {
    const { data, ...event } = completed('build', 60, 1);
    const { started_at: _, step_key: __, ...known } = data;
    await record([{ ...event, data: known }]);
    expect(await getDurations(ctx, { group_by: 'step', from, to })).toMatchObject({ total: { completed: 0 } });
  });
});

it('the database counts durations in the buckets of the sketch that percentiles are read from', async () => {
  const { mapping } = new DDSketch({ relativeAccuracy: 0.05 });
  const durations = Array.from({ length: 2_000 }, (_, n) => Math.round(1_000 * 1.0137 ** n)).filter((ms) => ms < 8e13);
  const rows = await ctx.db.query<{ ms: number; bucket: number }>(
    'SELECT ms::float8, duration_bucket(ms) AS bucket FROM unnest($1::bigint[]) AS ms',
    [[0, 1, 999, ...durations]],
  );
  for (const { ms, bucket } of rows) expect(bucket).toBe(1 + Math.min(mapping.key(Math.max(1, ms / 1_000)), 255));
});
