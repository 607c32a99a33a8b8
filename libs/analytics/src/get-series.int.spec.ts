import { beforeAll, describe, expect, it } from '@jest/globals';
import { performanceSeries, type PerformanceSeries, type StoredEvent, type TaskFacts } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import fc from 'fast-check';
import { getSeries } from './get-series.ts';
import { recordFacts } from './facts/record-facts.ts';

const database = useTestDatabase();
const firstDay = Date.parse('2026-03-28T00:00:00Z');
const [hourMs, dayMs] = [3_600_000, 86_400_000];
const range = { from: new Date(firstDay - dayMs), to: new Date(firstDay + 12 * dayMs) };

/** Within ten days, often at the very edge of an hour or day. */
const moment = fc
  .record({
    hours: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.constantFrom(0, 24, 48)),
    ms: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 0, max: hourMs - 1 })),
  })
  .map(({ hours, ms }) => new Date(firstDay + hours * hourMs + ms));
const optional = fc.option(moment);
const change = fc.record({
  task: fc.integer({ min: 0, max: 5 }),
  status: fc.constantFrom('open', 'in_progress', 'completed', 'completed', 'failed', 'cancelled'),
  role: fc.constantFrom(null, 'rd', 'qa'),
  due: optional,
  claimed: optional,
  at: moment,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function eventOf({ task, status, role, due, claimed, at }: Change, version: number): StoredEvent {
  const facts: TaskFacts = {
    version,
    role,
    status,
    created_at: new Date(firstDay + task * (dayMs / 2) - (task % 2)).toISOString(),
    due_date: due?.toISOString() ?? null,
    first_claimed_at: claimed?.toISOString() ?? null,
    completed_at: status === 'completed' ? at.toISOString() : null,
    code_quality: null,
    requirements_clarity: null,
  };
  const event = { eventId: `evt_${version}`, occurredAt: at, facts, dataText: '{}' };
  const ref = { task_id: `tsk_${task}`, title: 't' };
  if (status === 'failed') return { ...event, type: 'task.failed', data: { ...ref, reason: 'r' } };
  return { ...event, type: 'task.updated', data: { ...ref, from: 'open', to: status, changed: [] } };
}

const consume = (ctx: UseCaseContext, events: readonly StoredEvent[]) =>
  ctx.inTransaction((tx) => recordFacts(contextInTransaction(ctx, tx), events));

const slowSql = `
  SELECT count(*) FILTER (WHERE created_at >= $2 AND created_at < $3) AS created,
    count(*) FILTER (WHERE status = 'completed' AND completed_at >= $2 AND completed_at < $3) AS completed,
    count(*) FILTER (WHERE status = 'completed' AND completed_at >= $2 AND completed_at < $3
      AND completed_at > due_date) AS late,
    avg(round(extract(epoch FROM completed_at - first_claimed_at) * 1000))
      FILTER (WHERE status = 'completed' AND completed_at >= $2 AND completed_at < $3)::float8 AS ms
  FROM analytics_task_facts WHERE tenant_id = $1 AND ($4::text IS NULL OR role = $4)`;

type Slow = { created: number; completed: number; late: number; ms: number | null };

async function slowSeries(
  ctx: UseCaseContext,
  { interval, points }: PerformanceSeries,
  history: readonly Change[],
  wanted: string | undefined,
) {
  const length = interval === 'hour' ? hourMs : dayMs;
  const expected: PerformanceSeries['points'] = [];
  for (const { at } of points) {
    const [start, end] = [Date.parse(at), Date.parse(at) + length];
    const values = [ctx.tenantId, new Date(start), new Date(end), wanted ?? null];
    const [{ created, completed, late, ms } = { created: 0, completed: 0, late: 0, ms: null }] =
      await ctx.db.query<Slow>(slowSql, values);
    const failed = history.filter(
      (one) =>
        one.status === 'failed' &&
        (wanted === undefined || one.role === wanted) &&
        one.at.getTime() >= start &&
        one.at.getTime() < end,
    ).length;
    const seconds = ms === null ? null : Math.max(0, Math.round(ms / 1_000));
    expected.push({ at, created, completed, late, failed, avg_completion_seconds: seconds });
  }
  return expected;
}

describe('getSeries', () => {
  it('equals a straight count of the newest facts and of failures, whatever the batches and their order', async () => {
    const history = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 25 }),
      order: fc.array(fc.nat(), { minLength: 25, maxLength: 25 }),
      batchSize: fc.integer({ min: 1, max: 10 }),
      role: fc.constantFrom(undefined, 'rd', 'qa'),
      interval: fc.constantFrom('hour' as const, 'day' as const),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ changes, order, batchSize, role, interval }) => {
        const ctx = database.context({ tenantId: await database.createTenant() });
        const events = changes
          .map((next, index) => ({ event: eventOf(next, index + 1), position: order[index] ?? 0 }))
          .sort((left, right) => left.position - right.position)
          .map(({ event }) => event);
        const batches: StoredEvent[][] = [];
        while (events.length > 0) batches.push(events.splice(0, batchSize));
        await Promise.all(batches.map((batch) => consume(ctx, batch)));
        const series = await getSeries(ctx, { ...range, interval, ...(role && { role }) });
        expect(performanceSeries.parse(series)).toEqual(series);
        expect(series.points).toEqual(await slowSeries(ctx, series, changes, role));
      }),
      { numRuns: 15 },
    );
  });

  it('has an interval for each hour or day, the last one now, 30 of them by default', async () => {
    const ctx = database.context({ tenantId: await database.createTenant() });
    const { points } = await getSeries(ctx, { interval: 'day' });
    expect(points).toHaveLength(30);
    expect(points.at(-1)?.at).toBe(`${ctx.clock.now().toISOString().slice(0, 10)}T00:00:00Z`);
    const hours = await getSeries(ctx, { interval: 'hour', from: new Date(firstDay), to: new Date(firstDay) });
    expect(hours.points).toEqual([
      { at: '2026-03-28T00:00:00Z', created: 0, completed: 0, late: 0, failed: 0, avg_completion_seconds: null },
    ]);
  });

  it.each([
    ['of more than 400 intervals', { interval: 'hour', to: new Date(firstDay + 400 * hourMs) }],
    ['that ends before it begins', { interval: 'day', to: new Date(firstDay - 1) }],
  ] as const)('refuses a range %s', async (_, more) => {
    const ctx = database.context({ tenantId: await database.createTenant() });
    await expect(getSeries(ctx, { from: new Date(firstDay), ...more })).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ field: 'from' }],
    });
    const { points } = await getSeries(ctx, { ...more, from: new Date(more.to.getTime() - 399 * hourMs) });
    expect(points.length).toBeLessThanOrEqual(400);
  });
});

describe('with ten years of history', () => {
  let tenantId = '';
  const fillSql = `
    INSERT INTO analytics_throughput (tenant_id, grain, at, role, created)
    SELECT $1, grain, date_trunc(grain, now() - n * ('1 ' || grain)::interval, 'UTC'), role, 1
    FROM generate_series(1, 20000) AS n, unnest(ARRAY['hour', 'day']) AS grain, unnest(ARRAY['rd', 'qa']) AS role`;

  beforeAll(async () => {
    tenantId = await database.createTenant();
    await database.database.db.query(fillSql, [tenantId]);
    await database.database.db.query('VACUUM ANALYZE analytics_throughput');
  });

  it('reads only the rows of the range', async () => {
    const ctx = database.context({ tenantId });
    const read = await rowsReadBy({ database: database.database, tenantId }, ({ db }) =>
      getSeries({ ...ctx, db }, { interval: 'day' }),
    );
    expect(read['analytics_throughput']).toBeLessThan(100);
  });
});
