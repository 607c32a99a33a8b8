import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from '@eas/runtime';
import { eventually, outboxDrained, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { appendReceipts } from '../consuming/consumer.fixture.ts';
import { consumeEvents } from '../consuming/handlers.ts';
import { watchQueues } from '../relaying/queue-depth-metrics.ts';
import { type OpenQueues, openQueues } from './open-queues.ts';
import { startWorker } from '../consuming/worker.ts';

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);
const noEvents = async () => {};
const options = {
  makeContext: ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
    testDatabase.context({ tenantId, signal }),
  concurrency: 2,
  logger: silentLogger,
};

describe('open queues', () => {
  let metrics: Metrics;
  let queues: OpenQueues;
  beforeAll(async () => {
    metrics = createMetrics({ withDefaults: false });
    queues = await openQueues({ ...testQueues.options, logger: silentLogger, metrics });
  });
  afterAll(() => queues.close());

  it('respond to a ping', async () => {
    await expect(queues.ping()).resolves.toBeUndefined();
  });

  it('run handlers of jobs without events outside a transaction, and fail the job when the handler throws', async () => {
    const seen: string[] = [];
    const worker = await startWorker(
      queues,
      'webhooks',
      {
        'fan_out.follow': consumeEvents('fan_out.follow', noEvents),
        'event.fan_out': consumeEvents('event.fan_out', noEvents),
        'chat.question': consumeEvents('chat.question', noEvents),
        'delivery.send': async (ctx, payload) => {
          seen.push(`${ctx.tenantId} ${payload.endpoint_id} ${payload.event_ids.join()}`);
          if (payload.endpoint_id === 'whk_bad') throw new Error('cannot send');
        },
      },
      options,
    );
    const send = (endpoint_id: string) => ({
      job: 'delivery.send' as const,
      payload: { tenant_id: 'tnt_a', endpoint_id, event_ids: ['evt_1', 'evt_2'] },
    });
    await queues.send([send('whk_good'), send('whk_bad')]);
    await eventually(async () => (await queues.depths())['webhooks']?.failed === 1 && seen.length === 2);
    await worker.drain(5_000);
    expect(seen.sort()).toEqual(['tnt_a whk_bad evt_1,evt_2', 'tnt_a whk_good evt_1,evt_2']);
  });

  it('report how many jobs wait and how long the oldest has waited', async () => {
    const payload = { tenant_id: 'tnt_a', event_ids: ['evt_1'] };
    const send = () => queues.send([{ job: 'inbound.apply', payload }]);
    expect((await queues.oldestSeconds())['workflow']).toBe(0);
    await send();
    await eventually(async () => ((await queues.oldestSeconds())['workflow'] ?? 0) > 0.2);
    await send();
    expect((await queues.oldestSeconds())['workflow']).toBeGreaterThan(0.2);
    const watched = createMetrics({ withDefaults: false });
    watchQueues(watched, queues);
    const text = await watched.registry.metrics();
    expect(text).toContain('eas_queue_jobs{queue="workflow",state="waiting"} 2');
    expect(Number(/^eas_queue_oldest_seconds\{queue="workflow"\} (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0.2);
  });

  it('never report an empty queue while jobs wait, however fast they are processed', async () => {
    const payload = { tenant_id: 'tnt_a', endpoint_id: 'whk_a', event_ids: ['evt_1'] };
    await queues.send(Array.from({ length: 400 }, () => ({ job: 'delivery.send' as const, payload })));
    const waiting = async () => (await queues.depths())['webhooks']?.waiting ?? 0;
    const { worker, disconnect } = queues.openWorker('webhooks', async () => {}, { concurrency: 4 });
    let reads = 0;
    try {
      for (let left = await waiting(); left > 0; reads += 1) {
        const age = (await queues.oldestSeconds())['webhooks'];
        left = await waiting();
        if (left > 0) expect(age).toBeGreaterThan(0);
      }
    } finally {
      await worker.close();
      await disconnect();
    }
    expect(reads).toBeGreaterThan(0);
  });

  it('count the jobs of a paused queue as waiting', async () => {
    const queue = queues.all().find(({ name }) => name === 'analytics');
    await queue?.pause();
    const payload = { tenant_id: 'tnt_a', event_ids: ['evt_1'] };
    await queues.send([{ job: 'facts.record', payload }]);
    await eventually(async () => ((await queues.oldestSeconds())['analytics'] ?? 0) > 0);
    expect((await queues.depths())['analytics']?.waiting).toBe(1);
    await queue?.drain();
    await queue?.resume();
  });

  it('count jobs and events', async () => {
    const worker = await startWorker(
      queues,
      'analytics',
      {
        'facts.follow': consumeEvents('facts.follow', noEvents),
        'facts.record': consumeEvents('facts.record', noEvents),
        'usage.record': consumeEvents('usage.record', noEvents),
      },
      options,
    );
    const ctx = testDatabase.context();
    const ids = await appendReceipts(ctx, ['one', 'two']);
    await ctx.db.query(`UPDATE outbox SET consumer = 'facts.record'`);
    await queues.send([{ job: 'facts.record', payload: { tenant_id: ctx.tenantId, event_ids: ids } }]);
    await outboxDrained(testDatabase.database);
    await worker.drain(5_000);
    const text = await metrics.registry.metrics();
    expect(text).toContain('eas_jobs_total{queue="analytics",job="facts.record",outcome="completed"} 1');
    expect(text).toContain('eas_events_consumed_total{consumer="facts.record",outcome="done"} 2');
    expect(text).toMatch(/eas_job_wait_seconds_count\{queue="webhooks",job="delivery.send"\} 2/);
  });
});

it('opening queues fails when the store is unavailable', async () => {
  const nowhere = { redisUrl: 'redis://127.0.0.1:1', databaseUrl: 'postgresql://eas:eas@127.0.0.1:1/none' };
  const redisUrl = testQueues.backend === 'redis' ? nowhere.redisUrl : undefined;
  await expect(openQueues({ databaseUrl: nowhere.databaseUrl, redisUrl, logger: silentLogger })).rejects.toThrow();
});
