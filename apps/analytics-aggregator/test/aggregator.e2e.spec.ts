import { getPerformance, readRollups, recount } from '@eas/analytics';
import { defaultTenantId, type TaskFacts } from '@eas/contracts';
import { newId } from '@eas/core';
import { append } from '@eas/db';
import { type QueueWorker, type Relay, startRelay, startWorker } from '@eas/queue';
import { createMetrics } from '@eas/runtime';
import { eventually, outboxDrained, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyticsHandlers } from '../src/handlers.ts';
import { type Recounting, startRecounting } from '../src/recounting.ts';

let worker: QueueWorker;
let relay: Relay;
let recounting: Recounting;
const metrics = createMetrics({ withDefaults: false });
const warnings: object[] = [];
afterAll(async () => {
  await recounting?.stop();
  await relay?.stop();
  await worker?.drain(5_000);
});
const database = useTestDatabase();
const queues = useQueues(database);

const startAggregator = () =>
  startWorker(queues.queues, 'analytics', analyticsHandlers({ onFacts: () => recounting.onFacts(), onUsage() {} }), {
    makeContext: ({ tenantId, signal }) => database.context({ tenantId, signal }),
    concurrency: 4,
    logger: silentLogger,
  });

beforeAll(async () => {
  const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  recounting = startRecounting(database.database, { metrics, logger });
  worker = await startAggregator();
  relay = startRelay({
    database: database.database,
    queues: queues.queues,
    logger: silentLogger,
    resendAfterMs: 500,
    resendEveryMs: 200,
  });
});

/** A task of the role and the events that it was started and completed, as the use cases leave them. */
async function finishTask(role: string): Promise<string[]> {
  const ctx = database.context();
  const [id, at] = [newId('task'), ctx.clock.now()];
  await ctx.db.query(
    `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, created_at, updated_at, rank, version,
                        first_claimed_at, completed_at)
     VALUES ($1, $2, 't', 'd', 'completed', $3, $4, $4, $4, 3, $4, $4)`,
    [ctx.tenantId, id, role, at],
  );
  const facts: TaskFacts = {
    version: 2,
    role,
    status: 'in_progress',
    created_at: at.toISOString(),
    due_date: null,
    first_claimed_at: at.toISOString(),
    completed_at: null,
    code_quality: null,
    requirements_clarity: null,
  };
  const ref = { task_id: id, title: 't' };
  return ctx.inTransaction(async (tx) => [
    append(tx, { type: 'task.started', at, data: { ...ref, assigned_agent: 'agt_1' }, facts }),
    append(tx, {
      type: 'task.completed',
      at,
      data: { ...ref, completed_by: 'agt_1', completion_time: at.toISOString() },
      facts: { ...facts, version: 3, status: 'completed', completed_at: at.toISOString() },
    }),
  ]);
}

/** First the events get their numbers; what was sent again is left to `facts.record`. */
async function drained(): Promise<void> {
  await outboxDrained(database.database, { consumer: 'event.number' });
  await outboxDrained(database.database, { consumer: 'facts.follow' });
  await outboxDrained(database.database, { consumer: 'facts.record' });
}

describe('analytics-aggregator', () => {
  it('shows an event in the figures', async () => {
    await finishTask('rd');
    const isShown = async () => (await getPerformance(database.context(), { period: 'year' })).tasks.completed === 1;
    await eventually(isShown);
  });

  it('counts an event once, however often its job comes', async () => {
    const eventIds = await finishTask('qa');
    const payload = { tenant_id: defaultTenantId, event_ids: eventIds };
    for (const job of ['facts.follow', 'facts.record'] as const)
      await queues.queues.send(Array.from({ length: 5 }, () => ({ job, payload })));
    await drained();
    const ctx = database.context();
    expect(await readRollups(ctx)).toEqual(await recount(ctx));
  });

  it('keeps roll-ups equal to a recount when it is away for a while and the queue store is lost', async () => {
    await worker.drain(5_000);
    for (let task = 0; task < 20; task += 1) await finishTask(task % 2 ? 'pm' : 'rd');
    await queues.wipe();
    worker = await startAggregator();
    await drained();
    const ctx = database.context();
    const rollups = await readRollups(ctx);
    expect(rollups).toEqual(await recount(ctx));
    expect(rollups.find(({ role }) => role === 'pm')).toMatchObject({ total: 10, completed: 10 });
  });

  it('counts figures again after facts were recorded, and reports by metric and log what differs', async () => {
    const days = async (result: 'equal' | 'different') => {
      const counted = await metrics.registry.getSingleMetric('eas_analytics_days_recounted_total')?.get();
      return counted?.values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
    };
    const recountOnce = async () => {
      const before = (await days('equal')) + (await days('different'));
      recounting.wake();
      await eventually(async () => (await days('equal')) + (await days('different')) > before);
    };
    await finishTask('ops');
    await drained();
    await recountOnce();
    expect([await days('different'), warnings]).toEqual([0, []]);

    const ctx = database.context();
    await ctx.db.query(`UPDATE analytics_daily_rollups SET completed = 5 WHERE role = 'ops'`);
    await finishTask('rd');
    await drained();
    await recountOnce();
    expect(await days('different')).toBe(1);
    const fields = { completed: { stored: 5, counted: 1 } };
    expect(warnings).toEqual([{ tenantId: ctx.tenantId, day: expect.any(String), role: 'ops', fields }]);
  });
});
