import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import {
  cancelTask,
  completeTask,
  failTask,
  getInput,
  releaseTask,
  removeAgent,
  sweepExpiredInputs,
  sweepExpiredLeases,
  timeOutTask,
} from '@eas/tasks';
import { eventually, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startChatScene } from '../../test/chat-scene.ts';
import { type Asking, askQuestion, consumeChatEvents } from '../../test/question-scene.ts';

const test = useTestDatabase();
let scene: Awaited<ReturnType<typeof startChatScene>>;
let ctx: UseCaseContext;
beforeAll(async () => {
  scene = await startChatScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  scene.forget();
  scene.chat.respondWith({ status: 200, body: JSON.stringify({ ok: true, channel: 'C1', ts: '1700000000.000100' }) });
});

const connect = (fields = {}) =>
  scene.connect(ctx, { events: ['task.blocked'], signing_secret: 'the signing secret of the chat', ...fields });
type Asked = Awaited<ReturnType<typeof askQuestion>>;
const choice: Asking = { kind: 'choice', options: ['a', 'b'] };
const withButtons = () => scene.bodies().map(({ blocks }) => JSON.stringify(blocks).includes('"actions"'));
const updates = () =>
  scene.chat.requests.filter(({ path }) => path === '/chat.update').map(({ body }) => body.toString());

async function shown(integrationId: string, count = 1): Promise<string[]> {
  await consumeChatEvents(ctx);
  await eventually(async () => {
    await scene.post(ctx, integrationId);
    return updates().length === count;
  });
  return updates();
}

const runOut = ({ leaseId }: Asked) =>
  test.database.db.query(
    `UPDATE leases SET expires_at = app_now() - interval '1 second' WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, leaseId],
  );
const bodyOf = <T extends object>({ leaseId, token }: Asked, body?: T) => ({
  leaseId,
  body: { fencing_token: token, ...(body as T) },
});

describe('the message of a question that waits no longer', () => {
  it.each<[string, boolean, (asked: Asked) => Promise<unknown>, string]>([
    ['its task was cancelled', true, ({ taskId }) => cancelTask(ctx, { taskId }), 'the task was cancelled'],
    [
      'its task took too long',
      true,
      ({ taskId }) => timeOutTask(ctx, { taskId, reason: 'too long' }),
      'the task took too long',
    ],
    ['its agent was removed', true, ({ agentId }) => removeAgent(ctx, { agentId }), 'the agent was removed'],
    ['its agent completed the task', false, (one) => completeTask(one.asAgent, bodyOf(one)), 'the task was completed'],
    [
      'its agent failed the task',
      false,
      (one) => failTask(one.asAgent, bodyOf(one, { reason: 'no', retryable: false })),
      'the agent failed the task',
    ],
    [
      'its agent released the task',
      false,
      (one) => releaseTask(one.asAgent, bodyOf(one, { reason: 'no' })),
      'the agent released the task',
    ],
    [
      'the lease was not renewed',
      false,
      (one) => runOut(one).then(() => sweepExpiredLeases(test.database)),
      'the lease was not renewed in time',
    ],
  ])('says by itself that %s', async (_name, blocking, end, why) => {
    const id = await connect();
    const asked = await askQuestion(test, ctx, { ...choice, blocking });
    await consumeChatEvents(ctx);
    await scene.post(ctx, id);
    expect(withButtons()).toEqual([true]);
    await end(asked);
    expect((await getInput(ctx, { inputId: asked.inputId, scopes: ['tasks:read'] })).status).toBe('cancelled');
    expect(await shown(id)).toEqual([expect.stringContaining(`This question was cancelled: ${why}.`)]);
    expect(withButtons()).toEqual([true, false]);
  });

  it('says so in every channel, once', async () => {
    const id = await connect({ channels: ['C1', 'C2'] });
    const { taskId } = await askQuestion(test, ctx, choice);
    await consumeChatEvents(ctx);
    for (const channel of ['C1', 'C2']) await scene.post(ctx, id, channel);
    await cancelTask(ctx, { taskId });
    await consumeChatEvents(ctx);
    await consumeChatEvents(ctx);
    await eventually(async () => {
      for (const channel of ['C1', 'C2']) await scene.post(ctx, id, channel);
      return updates().length === 2;
    });
    expect((await scene.messages(ctx, id)).map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'edit posted',
      'edit posted',
      'post posted',
      'post posted',
    ]);
  });

  it('is posted without buttons when the task was cancelled before it could be posted', async () => {
    const id = await connect();
    const { taskId } = await askQuestion(test, ctx, choice);
    await cancelTask(ctx, { taskId });
    await consumeChatEvents(ctx);
    await scene.post(ctx, id);
    expect(withButtons()).toEqual([false]);
    expect(JSON.stringify(scene.bodies())).toContain('This question was cancelled: the task was cancelled.');
  });

  it('says so also when the task is cancelled while the chat takes the message', async () => {
    const id = await connect();
    const { taskId } = await askQuestion(test, ctx, choice);
    await consumeChatEvents(ctx);
    const ok = { status: 200, body: JSON.stringify({ ok: true, channel: 'C1', ts: '1700000000.000100' }) };
    const isCancelled = Promise.withResolvers<void>();
    scene.chat.respondWith({ ...ok, after: isCancelled.promise });
    const posting = scene.post(ctx, id);
    await scene.chat.received(1);
    await cancelTask(ctx, { taskId });
    await consumeChatEvents(ctx);
    scene.chat.respondWith(ok);
    isCancelled.resolve();
    await posting;
    expect(await shown(id)).toEqual([expect.stringContaining('This question was cancelled')]);
  });
});

describe('the other questions of a task whose question was not answered in time', () => {
  it('says so with it', async () => {
    const id = await connect();
    const aside = await askQuestion(test, ctx, { ...choice, blocking: false });
    const inputId = await aside.ask({ kind: 'approval' });
    await consumeChatEvents(ctx);
    await eventually(async () => {
      await scene.post(ctx, id);
      return scene.chat.requests.length === 2;
    });
    const sql = `UPDATE inputs SET expires_at = app_now() - interval '1 minute' WHERE tenant_id = $1 AND id = $2`;
    await test.database.db.query(sql, [ctx.tenantId, inputId]);
    await sweepExpiredInputs(test.database);
    const texts = (await shown(id, 2)).join();
    expect(texts).toContain('This question has expired.');
    expect(texts).toContain('This question was cancelled: the input was not answered in time.');
  });
});
