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

const egress = createLoopbackEgress({ deadlineMs: 10_000 });
const posters: Pick<Loop, 'stop'>[] = [];
let chat: WebhookSink;
let worker: QueueWorker;
let relay: Relay;
let ctx: UseCaseContext;
afterAll(async () => {
  await relay?.stop();
  await worker?.drain(5_000);
  for (const poster of posters) await poster.stop();
  await egress.close();
  await chat?.close();
});
const db = useTestDatabase();
const q = useQueues(db);

const makeContext = ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
  db.context({ tenantId, signal });
const ok = { status: 200, body: '{"ok":true,"channel":"C1","ts":"1700000000.000100"}' };

beforeAll(async () => {
  chat = await startWebhookSink();
  const { database } = db;
  const parts = { database, makeContext, logger: silentLogger };
  const work = dispatching({ ...parts, queues: q.queues, egress, retrySeconds: [1], concurrency: 8 });
  worker = await work.startWorker();
  relay = startRelay({ database, queues: q.queues, logger: silentLogger });
  // Two processes.
  for (let n = 0; n < 2; n += 1) {
    const posting = { send: egress.send, apiUrl: chat.url, baseUrl: undefined };
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
  it('gets each chosen event once, however many processes post', async () => {
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

  it('gets its messages while the workspace of another tenant hangs in all of its channels', async () => {
    const greedy = db.context({ tenantId: await db.createTenant() });
    chat.respondWith((request) => (request.headers['authorization'] === 'Bearer hanging' ? { kind: 'hang' } : ok));
    for (let n = 0; n < 10; n += 1)
      await connect(
        greedy,
        Array.from({ length: 20 }, (_, index) => `H${n}-${index}`),
        'hanging',
      );
    await comment(greedy, 'before');
    await chat.received(8);
    await connect(ctx, ['C1']);
    await comment(ctx, 'hello');
    await chat.waitFor((request) => channelOf(request) === 'C1');
    expect(chat.requests.length).toBeLessThan(200);
    chat.respondWith(ok);
  });
});
