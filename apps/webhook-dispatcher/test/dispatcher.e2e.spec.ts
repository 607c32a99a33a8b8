import { scopes } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { type QueueWorker, type Relay, startRelay } from '@eas/queue';
import type { Loop } from '@eas/runtime';
import {
  eventually,
  outboxDrained,
  silentLogger,
  startWebhookSink,
  useTestDatabase,
  type WebhookSink,
} from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { useQueues } from '@eas/testing/queues';
import { createEndpoint } from '@eas/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dispatching } from '../src/dispatching.ts';

/** The longest claim of a delivery: hanging ones are retried as rarely as possible. */
const egress = createLoopbackEgress({ deadlineMs: 25_000, headersTimeoutMs: 25_000 });
const sinks: WebhookSink[] = [];
let ctx: UseCaseContext;
let worker: QueueWorker;
let sweeper: Loop;
let relay: Relay;
afterAll(async () => {
  await relay?.stop();
  await sweeper?.stop();
  await worker?.drain(5_000);
  await egress.close();
});
const db = useTestDatabase();
const q = useQueues(db);

async function makeSink(): Promise<WebhookSink> {
  const sink = await startWebhookSink();
  sinks.push(sink);
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
  await createEndpoint(ctx, { body: { url: sink.url, events: ['task.*'] }, scopes }, rules);
  return sink;
}

/** One comment per transaction, as they come in. */
async function comment(title = 'A task', by = ctx): Promise<string> {
  return by.inTransaction(async (tx) => {
    const data = { task_id: 'tsk_1', title, content: 'text', author: 'key_1' };
    return append(tx, { type: 'task.commented', at: by.clock.now(), data, facts: null });
  });
}
const deliveredIds = (sink: WebhookSink) => sink.requests.map(({ headers }) => headers['webhook-id'] ?? '');

beforeAll(async () => {
  const { database } = db;
  const parts = {
    database,
    queues: q.queues,
    egress,
    makeContext: ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) => db.context({ tenantId, signal }),
    logger: silentLogger,
    retrySeconds: [0.1, 0.2],
    concurrency: 32,
  };
  const work = dispatching(parts);
  worker = await work.startWorker();
  sweeper = work.startSweeper();
  relay = startRelay({ database, queues: q.queues, logger: silentLogger });
});
beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
});
afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});

describe('webhook dispatcher', () => {
  it('delivers every event to every endpoint once', async () => {
    const [one, two] = [await makeSink(), await makeSink()];
    const ids = await Promise.all(Array.from({ length: 120 }, () => comment()));
    await Promise.all([one.received(120), two.received(120)]);
    await outboxDrained(db.database, { consumer: 'fan_out.follow' });
    expect(deliveredIds(one).sort()).toEqual(ids.sort());
    expect(deliveredIds(two).sort()).toEqual(ids);
  });

  it('tries again until the receiver is well, with the same id and bytes', async () => {
    const sink = await makeSink();
    sink.respondWith((_request, number) => ({ status: number < 3 ? 500 : 204 }));
    await comment('Grüße');
    const requests = await sink.received(3);
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(deliveredIds(sink)).size).toBe(1);
    await eventually(
      async () =>
        (await ctx.db.prisma.delivery.count({ where: { tenantId: ctx.tenantId, status: 'delivered' } })) === 1,
    );
  });

  it('does not let a receiver that hangs hold up another one', async () => {
    const [hanging, healthy] = [await makeSink(), await makeSink()];
    hanging.respondWith({ kind: 'hang' });
    for (let index = 0; index < 40; index += 1) await comment();
    await healthy.received(40);
    hanging.respondWith({ status: 200 });
  });

  it('does not let 100 endpoints of one tenant that hang hold up those of another', async () => {
    const wellBehaved = await makeSink();
    const noisy = db.context({ tenantId: await db.createTenant() });
    const tarpit = await startWebhookSink();
    sinks.push(tarpit);
    tarpit.respondWith({ kind: 'hang' });
    const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
    for (let n = 0; n < 100; n += 1)
      await createEndpoint(noisy, { body: { url: `${tarpit.url}/${n}`, events: ['task.*'] }, scopes }, rules);
    await comment('before', noisy);
    await tarpit.received(16);
    for (let n = 0; n < 20; n += 1) await comment(`${n}`);
    await wellBehaved.received(20);
    // Its jobs came after all of theirs.
    expect(tarpit.requests.length).toBeLessThan(100);
    tarpit.respondWith({ status: 200 });
  });

  it('delivers what was under way when the queues were wiped', async () => {
    const sink = await makeSink();
    const ids = await Promise.all(Array.from({ length: 50 }, () => comment()));
    await q.wipe();
    await sink.received(50, 5_000).catch(() => undefined);
    // Rows count as lost after 15 s: outbox rows and queued deliveries alike.
    await db.shiftClock(20);
    await eventually(() => new Set(deliveredIds(sink)).size === 50);
    await db.shiftClock(0);
    expect(new Set(deliveredIds(sink))).toEqual(new Set(ids));
  });

  it('passes on every step at once: nothing waits for the sweep', async () => {
    await sweeper.stop();
    const sink = await makeSink();
    for (let index = 0; index < 40; index += 1) {
      const id = await comment();
      await sink.waitFor(({ headers }) => headers['webhook-id'] === id);
    }
    expect(sink.requests).toHaveLength(40);
  });
});
