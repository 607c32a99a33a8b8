import type { Egress } from '@eas/egress';
import { append, type UseCaseContext } from '@eas/db';
import { createIntegration } from '@eas/integrations';
import { type QueueWorker, type Relay, startRelay } from '@eas/queue';
import type { Loop } from '@eas/runtime';
import { eventually, silentLogger, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { useQueues } from '@eas/testing/queues';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chatting } from '../src/chatting.ts';
import { dispatching } from '../src/dispatching.ts';

/** Requests that hang take this long; independent ones must arrive earlier, however slow the machine. */
const [hungMs, unblockedMs] = [180_000, 120_000];
/** One for each process, as each has its own connections. */
const ways = [0, 1].map(() => createLoopbackEgress({ deadlineMs: hungMs, headersTimeoutMs: hungMs }));
const [egress] = ways as [Egress, Egress];
const posters: Pick<Loop, 'stop'>[] = [];
let chat: WebhookSink;
let hanging: WebhookSink;
let worker: QueueWorker;
let relay: Relay;
let ctx: UseCaseContext;
afterAll(async () => {
  await relay?.stop();
  await worker?.drain(5_000);
  for (const poster of posters) await poster.stop();
  for (const way of ways) await way.close();
  await chat?.close();
  await hanging?.close();
});
const db = useTestDatabase();
const q = useQueues(db);

const makeContext = ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
  db.context({ tenantId, signal });
const ok = { status: 200, body: '{"ok":true,"channel":"C1","ts":"1700000000.000100"}' };

beforeAll(async () => {
  chat = await startWebhookSink();
  hanging = await startWebhookSink();
  hanging.respondWith({ kind: 'hang' });
  const { database } = db;
  const parts = { database, makeContext, logger: silentLogger };
  const work = dispatching({ ...parts, queues: q.queues, egress, retrySeconds: [1], concurrency: 8 });
  worker = await work.startWorker();
  relay = startRelay({ database, queues: q.queues, logger: silentLogger });
  // Two processes.
  for (const { send } of ways) {
    const posting = { send, apiUrl: chat.url, baseUrl: undefined };
    posters.push(chatting({ ...parts, posting, keptDays: 30 }).startPosting());
  }
});
beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
  chat.requests.splice(0);
  chat.respondWith(ok);
});

const connect = (by: UseCaseContext, channels: string[], token = 'xoxb') =>
  createIntegration(by, { type: 'slack', workspace_name: 'acme', token, channels, events: ['task.*'] });

async function comment(by: UseCaseContext, content: string): Promise<void> {
  const data = { task_id: 'tsk_1', title: 'A task', content, author: 'key_1' };
  const event = { type: 'task.commented' as const, at: by.clock.now(), data, facts: null };
  await by.inTransaction(async (tx) => append(tx, event));
}
const channelOf = ({ body }: { body: Buffer }) => (JSON.parse(body.toString()) as { channel: string }).channel;
const statesOf = async (by: UseCaseContext) =>
  (
    await db.database.db.query<{ state: string }>(
      'SELECT state FROM chat_messages WHERE tenant_id = $1 ORDER BY event_id',
      [by.tenantId],
    )
  ).map(({ state }) => state);

describe('a chat integration', () => {
  it('gets each chosen event once from several processes', async () => {
    await connect(ctx, ['C1', 'C2']);
    await comment(ctx, 'hello');
    await eventually(async () => (await statesOf(ctx)).join() === 'posted,posted');
    expect(chat.requests.map(channelOf).sort()).toEqual(['C1', 'C2']);
  });

  it('gets the messages of a channel in the order of the events', async () => {
    await connect(ctx, ['C1']);
    for (const content of ['one', 'two', 'three']) await comment(ctx, content);
    const requests = await chat.received(3);
    const texts = requests.map(({ body }) => /one|two|three/.exec(body.toString())?.[0]);
    expect(texts).toEqual(['one', 'two', 'three']);
  });

  // Requests that hang keep their slots until the end of the suite.
  it.each([
    { tenants: 1, requests: 8 },
    { tenants: 20, requests: 100 },
  ])('gets its messages while the chats of $tenants other tenants hang', async ({ tenants, requests }) => {
    const before = hanging.requests.length;
    for (let n = 0; n < tenants; n += 1) {
      const noisy = db.context({ tenantId: await db.createTenant() });
      for (let i = 0; i < 20; i += 1) {
        const body = { type: 'slack', workspace_name: 'acme', webhook_url: `${hanging.url}/${n}/${i}` } as const;
        await createIntegration(noisy, { ...body, events: ['task.*'] });
      }
      await comment(noisy, 'before');
    }
    await hanging.received(before + requests);
    await connect(ctx, ['C1', 'C2']);
    for (const text of ['hello', 'and again']) await comment(ctx, text);
    for (const channel of ['C1', 'C2'])
      for (const text of ['hello', 'and again'])
        await chat.waitFor((one) => channelOf(one) === channel && one.body.includes(text), unblockedMs);
  });
});
