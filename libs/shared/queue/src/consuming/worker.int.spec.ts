import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Send } from '@eas/contracts';
import { eventually, outboxDrained, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { appendReceipts, createEffects, effectCounts, recordEffects, startInboundWorker } from './consumer.fixture.ts';
import type { EventHandler } from './handlers.ts';
import { openPostgresBackend } from '../backends/postgres-backend.ts';
import { openRedisBackend } from '../backends/redis-backend.ts';
import type { QueueWorker, WorkerOptions } from './worker.ts';

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);
const workers: QueueWorker[] = [];

const options: WorkerOptions = {
  makeContext: ({ tenantId, signal }) => testDatabase.context({ tenantId, signal }),
  concurrency: 4,
  logger: silentLogger,
};

async function start(handle: EventHandler, more: Partial<WorkerOptions> = {}): Promise<QueueWorker> {
  const worker = await startInboundWorker(testQueues.queues, handle, { ...options, ...more });
  workers.push(worker);
  return worker;
}

const send = (eventIds: string[]) =>
  testQueues.queues.send([
    { job: 'inbound.apply', payload: { tenant_id: testDatabase.context().tenantId, event_ids: eventIds } },
  ]);

const readPending = () =>
  testDatabase.database.db.query<{
    eventId: string;
    attempts: number;
    error: string | null;
    isDead: boolean;
    isDue: boolean;
  }>(
    `SELECT event_id AS "eventId", attempts, last_error AS error, dead_at IS NOT NULL AS "isDead",
            available_at <= app_now() AS "isDue" FROM outbox`,
  );

const receipts = (count: number) => Array.from({ length: count }, (_, index) => `receipt ${index}`);

beforeAll(async () => {
  await createEffects(testDatabase.context());
  // Postponed events stay postponed, however long a test takes.
  await testDatabase.stopClock();
});
beforeEach(async () => {
  await testDatabase.database.db.query('TRUNCATE effects, outbox');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.drain(2_000)));
});

describe('a worker of events', () => {
  it('processes each event once although its job is sent five times', async () => {
    const ids = await appendReceipts(testDatabase.context(), receipts(60));
    for (let time = 0; time < 5; time += 1) await send(ids);
    await start(recordEffects);
    await outboxDrained(testDatabase.database);
    await eventually(async () => (await testQueues.queues.depths())['workflow']?.waiting === 0);
    await workers.pop()?.drain(5_000);

    const counts = await effectCounts(testDatabase.context());
    expect([...counts.keys()].sort()).toEqual(ids);
    expect(new Set(counts.values())).toEqual(new Set([1]));
  });

  it('passes the events of a batch to the handler together, oldest first', async () => {
    const ids = await appendReceipts(testDatabase.context(), receipts(20));
    const batches: string[][] = [];
    await start(async (_, events) => void batches.push(events.map(({ eventId }) => eventId)));
    await send([...ids].reverse());
    await outboxDrained(testDatabase.database);
    expect(batches).toEqual([ids]);
  });

  it('has a slot for another tenant while one tenant has more jobs than slots', async () => {
    const [slow, other] = [await testDatabase.createTenant(), await testDatabase.createTenant()];
    const gate = Promise.withResolvers<void>();
    await start(
      async (ctx, events) => {
        if (ctx.tenantId === slow) await gate.promise;
        await recordEffects(ctx, events);
      },
      { concurrency: 2, isFair: true },
    );
    const give = async (tenantId: string) => {
      const event_ids = await appendReceipts(testDatabase.context({ tenantId }), receipts(1));
      await testQueues.queues.send([{ job: 'inbound.apply', payload: { tenant_id: tenantId, event_ids } }]);
    };
    for (let job = 0; job < 4; job += 1) await give(slow);
    await give(other);
    const unworked = async (tenantId: string) =>
      (await testDatabase.database.db.query('SELECT FROM outbox WHERE tenant_id = $1', [tenantId])).length;
    await eventually(async () => (await unworked(other)) === 0);
    expect(await unworked(slow)).toBe(4);
    gate.resolve();
    await outboxDrained(testDatabase.database);
  });

  it('postpones a bad event without holding up others', async () => {
    const ids = await appendReceipts(testDatabase.context(), ['good 1', 'bad', 'good 2']);
    await start(recordEffects);
    await send(ids);
    await eventually(async () => (await readPending()).length === 1 && (await readPending())[0]?.attempts === 1);

    expect(await readPending()).toEqual([
      { eventId: ids[1], attempts: 1, error: 'cannot apply bad', isDead: false, isDue: false },
    ]);
    const counts = await effectCounts(testDatabase.context());
    expect(counts).toEqual(
      new Map([
        [ids[0], 1],
        [ids[2], 1],
      ]),
    );
  });

  it('marks an event as dead when its attempts are used up, and never processes it again', async () => {
    const [id = ''] = await appendReceipts(testDatabase.context(), ['bad for ever']);
    await testDatabase.database.db.query('UPDATE outbox SET attempts = 9');
    await start(recordEffects);
    await send([id]);
    await eventually(async () => (await readPending())[0]?.isDead === true);

    let calls = 0;
    await workers.pop()?.drain(2_000);
    await start(async () => void (calls += 1));
    await send([id]);
    const [next = ''] = await appendReceipts(testDatabase.context(), ['good']);
    await send([next]);
    await outboxDrained(testDatabase.database);
    expect(calls).toBe(1);
    expect(await readPending()).toMatchObject([{ eventId: id, attempts: 10, isDead: true }]);
  });

  it('sends the follow-up jobs of a handler after the commit', async () => {
    const [first = '', second = ''] = await appendReceipts(testDatabase.context(), ['first', 'second']);
    const seen: string[] = [];
    await start(async (ctx, events) => {
      seen.push(...events.map(({ eventId }) => eventId));
      if (!events.some(({ eventId }) => eventId === first)) return;
      return { then: [{ job: 'inbound.apply', payload: { tenant_id: ctx.tenantId, event_ids: [second] } }] };
    });
    await send([first]);
    await outboxDrained(testDatabase.database);
    expect(seen).toEqual([first, second]);
  });

  it('refuses a payload that does not match its schema without calling the handler', async () => {
    let calls = 0;
    await start(async () => void (calls += 1));
    const foreign = { name: 'inbound.apply', data: { tenant_id: 'tnt_x', event_ids: [] }, opts: {} };
    const { redisUrl, databaseUrl, namespace } = testQueues.options;
    const backend = redisUrl
      ? await openRedisBackend(redisUrl, namespace, silentLogger)
      : await openPostgresBackend(databaseUrl, namespace, silentLogger);
    const producer = backend.openQueue('workflow');
    await backend.add(producer, [foreign]);
    await producer.close();
    await backend.close();
    await eventually(async () => ((await testQueues.queues.depths())['workflow']?.failed ?? 0) > 0);
    expect(calls).toBe(0);
  });
});

describe('follow-up jobs that are kept', () => {
  const kept = { jobs: ['inbound.apply'] as const, atMost: 2 };
  const jobOf = (ctx: { tenantId: string }, id: string): Send => ({
    job: 'inbound.apply',
    payload: { tenant_id: ctx.tenantId, event_ids: [id] },
  });

  it('run at once up to their limit, and the others go through the queue', async () => {
    const [first = '', ...rest] = await appendReceipts(testDatabase.context(), receipts(5));
    const sent: string[] = [];
    const { send: enqueue } = testQueues.queues;
    const watched = { ...testQueues.queues };
    watched.send = (sends) => {
      sent.push(...sends.flatMap(({ payload }) => ('event_ids' in payload ? payload.event_ids : [])));
      return enqueue(sends);
    };
    const handle: EventHandler = async (ctx, events) => {
      if (events.some(({ eventId }) => eventId === first)) return { then: rest.map((id) => jobOf(ctx, id)) };
    };
    workers.push(await startInboundWorker(watched, handle, { ...options, kept }));
    await send([first]);
    await outboxDrained(testDatabase.database);
    expect(sent).toEqual(rest.slice(2));
  });

  it('keep their events pending when they fail, and hold up nothing', async () => {
    const [first = '', bad = '', next = ''] = await appendReceipts(testDatabase.context(), ['a', 'bad', 'b']);
    const handle: EventHandler = async (ctx, events) => {
      if (events.some(({ eventId }) => eventId === first)) return { then: [jobOf(ctx, bad), jobOf(ctx, next)] };
      return recordEffects(ctx, events);
    };
    await start(handle, { kept });
    await send([first]);
    await eventually(async () => (await readPending())[0]?.attempts === 1);
    await eventually(async () => (await readPending()).length === 1);
    expect(await readPending()).toMatchObject([{ eventId: bad, error: 'cannot apply bad' }]);
  });

  it('end before a drained worker does, and their own follow-up jobs go through the queue', async () => {
    const [first = '', second = '', third = ''] = await appendReceipts(testDatabase.context(), ['a', 'b', 'c']);
    const taken: string[] = [];
    const finish = Promise.withResolvers<void>();
    const handle: EventHandler = async (ctx, [event]) => {
      taken.push(event?.eventId ?? '');
      if (event?.eventId === first) return { then: [jobOf(ctx, second)] };
      await finish.promise;
      return { then: [jobOf(ctx, third)] };
    };
    const worker = await start(handle, { kept });
    await send([first]);
    await eventually(() => taken.length === 2);
    const drained = worker.drain(10_000);
    finish.resolve();
    await drained;
    expect(taken).toEqual([first, second]);
    expect((await testQueues.queues.depths())['workflow']?.waiting).toBe(1);
    await testQueues.wipe();
  });
});

describe('draining a worker', () => {
  it('waits for the current job and takes no other', async () => {
    const [first = '', second = ''] = await appendReceipts(testDatabase.context(), ['first', 'second']);
    const taken: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const worker = await start(async (_, events) => {
      taken.push(...events.map(({ eventId }) => eventId));
      await finished;
    });
    await send([first]);
    await eventually(() => taken.length === 1);
    let isDrained = false;
    const drained = worker.drain(10_000).then(() => (isDrained = true));
    await send([second]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isDrained).toBe(false);
    finish();
    await drained;
    expect(taken).toEqual([first]);
    expect((await readPending()).map(({ eventId }) => eventId)).toEqual([second]);
    await testQueues.wipe();
  });

  it('aborts the signal of a job that does not end in time, and the event stays pending', async () => {
    const [id = ''] = await appendReceipts(testDatabase.context(), ['slow']);
    let isTaken = false;
    const worker = await start(async (ctx) => {
      isTaken = true;
      await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error)));
    });
    await send([id]);
    await eventually(() => isTaken);
    await worker.drain(50);
    expect(await readPending()).toMatchObject([{ eventId: id, attempts: 0 }]);
  });

  it('cuts off a job that ignores its signal', async () => {
    const [id = ''] = await appendReceipts(testDatabase.context(), ['deaf']);
    let release = () => {};
    let isTaken = false;
    const worker = await start(async () => {
      isTaken = true;
      await new Promise<void>((resolve) => (release = resolve));
    });
    await send([id]);
    await eventually(() => isTaken);
    await worker.drain(50);
    release();
    await testQueues.wipe();
  });
});
