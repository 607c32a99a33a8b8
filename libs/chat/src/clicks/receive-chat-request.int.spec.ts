import { createHmac } from 'node:crypto';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { answerInput, getInput, heartbeatLease, listTimeline, sweepExpiredInputs } from '@eas/tasks';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startChatScene } from '../../test/chat-scene.ts';
import { type Asking, askQuestion, consumeChatEvents } from '../../test/question-scene.ts';
import { createChatReceiver } from '../index.ts';
import { createReceiver, type ReceiptOutcome } from '@eas/receiving';
import { receiveChatRequest } from './receive-chat-request.ts';

const test = useTestDatabase();
const signingSecret = 'the signing secret of the chat';
const outcomes: ReceiptOutcome[] = [];
let scene: Awaited<ReturnType<typeof startChatScene>>;
let receiver: ReturnType<typeof createChatReceiver>;
let ctx: UseCaseContext;
beforeAll(async () => {
  scene = await startChatScene();
  const { database } = test;
  const { secrets } = test.context();
  const onReceipt = (_source: string, outcome: ReceiptOutcome) => void outcomes.push(outcome);
  const inbound = createReceiver({ database, secrets, logger: silentLogger, onReceipt });
  receiver = createChatReceiver({ database, secrets, logger: silentLogger, receiver: inbound });
});
afterAll(async () => {
  await receiver.sightings.close();
  await scene.close();
});
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  outcomes.length = 0;
  scene.forget();
  scene.chat.respondWith({ status: 200, body: JSON.stringify({ ok: true, channel: 'C1', ts: '1700000000.000100' }) });
});

const asked = (question: Asking) => askQuestion(test, ctx, question);
const fanOut = () => consumeChatEvents(ctx);

const connect = (fields = {}) =>
  scene.connect(ctx, { events: ['task.blocked'], signing_secret: signingSecret, ...fields });

type Block = { type: string; block_id?: string; elements?: { action_id: string; text: { text: string } }[] };
const blocksOf = (index: number) => (scene.bodies()[index]?.['blocks'] ?? []) as Block[];
const actionsOf = (index: number) => blocksOf(index).find(({ type }) => type === 'actions');

function clickOn(actionId: string, block: string | undefined, fields: object = {}) {
  return {
    type: 'block_actions',
    user: { id: 'U1', username: 'grace', name: 'Grace' },
    response_url: `${scene.chat.url}/response/secret`,
    actions: [{ action_id: actionId, block_id: block, type: 'button' }],
    ...fields,
  };
}

type Sending = { at?: number; secret?: string; to?: string; raw?: Buffer; type?: string };

function requestOf(
  payload: object,
  { at = ctx.clock.now().getTime(), secret = signingSecret, raw, type }: Sending = {},
) {
  const bytes = raw ?? Buffer.from(`payload=${encodeURIComponent(JSON.stringify(payload))}`);
  const timestamp = String(Math.floor(at / 1_000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex');
  return {
    raw: bytes,
    headers: {
      'content-type': type ?? 'application/x-www-form-urlencoded',
      'x-slack-signature': `v0=${digest}`,
      'x-slack-request-timestamp': timestamp,
    },
  };
}
const send = (payload: object, { to, ...sending }: Sending = {}) =>
  receiveChatRequest(receiver, { ...requestOf(payload, sending), ...(to ? { integrationId: to } : {}) });

const inputOf = (inputId: string) => getInput(ctx, { inputId, scopes: ['tasks:read'] });
const forbidden = { code: 'forbidden' };

/** A posted choice between a and b. */
async function postedChoice(fields = {}) {
  const id = await connect(fields);
  const question = await asked({ kind: 'choice', options: ['a', 'b'] });
  await fanOut();
  await scene.post(ctx, id, 'channels' in fields ? '' : 'C1');
  return { id, ...question, block: actionsOf(0)?.block_id };
}

describe('a click', () => {
  const permission = { tool: 'execute' as const, title: 'Push', command: 'git push' };
  const database = { type: 'string' as const, oneOf: [{ const: 'pg', title: 'Postgres' }] };
  it.each<[string, Asking, string, object]>([
    ['decides about a permission', { kind: 'permission', permission }, 'allow_always', { decision: 'allow_always' }],
    [
      'fills in a form with one field',
      { kind: 'form', form: { type: 'object', properties: { database } } },
      'answer:0',
      { content: { database: 'pg' } },
    ],
  ])('%s', async (_, asking, action, answer) => {
    const id = await connect();
    const { inputId } = await asked(asking);
    await fanOut();
    await scene.post(ctx, id);
    await send(clickOn(action, actionsOf(0)?.block_id), { to: id });
    expect(await inputOf(inputId)).toMatchObject({ status: 'answered', answered_by_name: 'Grace', ...answer });
  });
});

describe('a click on an option', () => {
  it('answers the question as the person who clicked, the agent goes on, and the message says who answered', async () => {
    const { id, inputId, block, asAgent, leaseId, token, taskId } = await postedChoice();
    expect(actionsOf(0)?.elements?.map(({ text }) => text.text)).toEqual(['a', 'b', 'Open']);
    await send(clickOn('answer:1', block));
    expect(outcomes).toEqual(['stored']);
    expect(await inputOf(inputId)).toMatchObject({
      status: 'answered',
      answer: 'b',
      answered_by: id,
      answered_by_name: 'Grace',
    });
    const beat = await heartbeatLease(asAgent, { leaseId, body: { fencing_token: token } });
    expect(beat.directives).toMatchObject([{ kind: 'answer', input_id: inputId, answer: 'b' }]);
    const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'seq', isDescending: false } };
    const { items } = await listTimeline(ctx, taskId, {}, page);
    expect(items.find(({ type }) => type === 'answer')).toMatchObject({ actor: id, answer: 'b', author: 'Grace' });
    await fanOut();
    await eventually(async () => {
      await scene.post(ctx, id);
      return scene.chat.requests.length === 2;
    });
    expect(scene.chat.requests[1]?.path).toBe('/chat.update');
    expect(scene.bodies()[1]).toMatchObject({ channel: 'C1', ts: '1700000000.000100' });
    expect(JSON.stringify(blocksOf(1))).toContain('*Grace* answered: b');
    expect(actionsOf(1)).toBeUndefined();
  });

  it('changes a message of an incoming webhook at the address that came with the click', async () => {
    scene.chat.respondWith({ status: 200, body: 'ok' });
    const url = `${scene.chat.url}/services/secret`;
    const { id, block } = await postedChoice({ channels: [], token: null, webhook_url: url });
    await send(clickOn('answer:0', block));
    await eventually(async () => {
      await scene.post(ctx, id, '');
      return scene.chat.requests.length === 2;
    });
    expect(scene.chat.requests[1]?.path).toBe('/response/secret');
    expect(scene.bodies()[1]).toMatchObject({ replace_original: true });
    const rows = await test.database.db.query('SELECT * FROM chat_messages WHERE tenant_id = $1', [ctx.tenantId]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('does not call an address of another host', async () => {
    scene.chat.respondWith({ status: 200, body: 'ok' });
    const url = `${scene.chat.url}/services/secret`;
    const { id, block } = await postedChoice({ channels: [], token: null, webhook_url: url });
    await send(clickOn('answer:0', block, { response_url: 'https://evil.example/x' }));
    await eventually(async () => {
      await scene.post(ctx, id, '');
      return (await scene.messages(ctx, id)).some(({ kind, state }) => kind === 'edit' && state === 'failed');
    });
    expect((await scene.messages(ctx, id)).find(({ kind }) => kind === 'edit')?.last_error).toBe('blocked_target');
    expect(scene.chat.requests).toHaveLength(1);
  });

  it('has no second effect when the request is replayed', async () => {
    const { inputId, block } = await postedChoice();
    const request = requestOf(clickOn('answer:1', block));
    await receiveChatRequest(receiver, request);
    await receiveChatRequest(receiver, request);
    await Promise.all([receiveChatRequest(receiver, request), receiveChatRequest(receiver, request)]);
    expect(outcomes.sort()).toEqual(['repeated', 'repeated', 'repeated', 'stored']);
    const directives = await test.database.db.query('SELECT FROM directives WHERE tenant_id = $1', [ctx.tenantId]);
    expect(directives).toHaveLength(1);
    expect((await inputOf(inputId)).answer).toBe('b');
  });

  it('comes too late when somebody answered before: the answer stays, and the message says it', async () => {
    const { id, inputId, block } = await postedChoice();
    await answerInput(ctx, { inputId, body: { answer: 'a' } });
    await send(clickOn('answer:1', block));
    expect(await inputOf(inputId)).toMatchObject({ answer: 'a', answered_by: ctx.actor.id, answered_by_name: null });
    await eventually(async () => {
      await scene.post(ctx, id);
      return scene.chat.requests.length === 2;
    });
    expect(JSON.stringify(blocksOf(1))).toContain(`answered: a`);
  });

  it('comes too late when the question has expired', async () => {
    const { id, inputId, block } = await postedChoice();
    await test.database.db.query(
      `UPDATE inputs SET expires_at = app_now() - interval '1 minute' WHERE tenant_id = $1 AND id = $2`,
      [ctx.tenantId, inputId],
    );
    await send(clickOn('answer:1', block));
    expect((await inputOf(inputId)).answer).toBeNull();
    await eventually(async () => {
      await scene.post(ctx, id);
      return scene.chat.requests.length === 2;
    });
    expect(JSON.stringify(blocksOf(1))).toContain('has expired');
  });

  it('is not taken for the question of another integration, nor for one that was never posted', async () => {
    const { inputId } = await postedChoice();
    const other = await scene.connect(ctx, { signing_secret: 'another secret of a chat' });
    await send(clickOn('answer:1', `${other}:${inputId}`), { secret: 'another secret of a chat' });
    expect(outcomes).toEqual(['ignored']);
    expect((await inputOf(inputId)).status).toBe('pending');
  });
});

describe('a click on an approval', () => {
  it('decides it', async () => {
    const id = await connect();
    const { inputId } = await asked({ kind: 'approval' });
    await fanOut();
    await scene.post(ctx, id);
    await send(clickOn('approve', actionsOf(0)?.block_id), { to: id });
    expect(await inputOf(inputId)).toMatchObject({
      status: 'answered',
      decision: 'approve',
      answered_by_name: 'Grace',
    });
  });
});

describe('a question', () => {
  it('that does not block its task is posted too, and once if it does', async () => {
    const id = await connect();
    await asked({ kind: 'choice', options: ['a', 'b'], blocking: false });
    await asked({ kind: 'choice', options: ['c', 'd'] });
    await fanOut();
    expect(await scene.messages(ctx, id)).toMatchObject([{ event_type: 'task.asked' }, { event_type: 'task.asked' }]);
    await scene.post(ctx, id);
    expect(actionsOf(0)?.elements?.map(({ text }) => text.text)).toEqual(['a', 'b', 'Open']);
  });

  it('that is answered elsewhere shows the answer in every channel', async () => {
    const silent = await connect({ channels: ['C1'], events: ['task.completed'] });
    const id = await connect({ channels: ['C1', 'C2'] });
    const { inputId } = await asked({ kind: 'choice', options: ['a', 'b'] });
    await fanOut();
    for (const channel of ['C1', 'C2']) await scene.post(ctx, id, channel);
    await answerInput(ctx, { inputId, body: { answer: 'a' }, author: 'John' });
    await fanOut();
    await eventually(async () => {
      for (const channel of ['C1', 'C2']) await scene.post(ctx, id, channel);
      return scene.chat.requests.filter(({ path }) => path === '/chat.update').length === 2;
    });
    const updates = scene.chat.requests.filter(({ path }) => path === '/chat.update');
    for (const { body } of updates) expect(body.toString()).toContain('*John* answered: a');
    expect(await scene.messages(ctx, silent)).toEqual([]);
  });

  it('that is not answered in time says so', async () => {
    const { id, inputId } = await postedChoice();
    await test.database.db.query(
      `UPDATE inputs SET expires_at = app_now() - interval '1 minute' WHERE tenant_id = $1 AND id = $2`,
      [ctx.tenantId, inputId],
    );
    await sweepExpiredInputs(test.database);
    await fanOut();
    await eventually(async () => {
      await scene.post(ctx, id);
      return scene.chat.requests.length === 2;
    });
    expect(JSON.stringify(blocksOf(1))).toContain('has expired');
  });

  it('that is answered while the chat takes its message shows the answer all the same', async () => {
    const id = await connect();
    const { inputId } = await asked({ kind: 'choice', options: ['a', 'b'] });
    await fanOut();
    const ok = { status: 200, body: JSON.stringify({ ok: true, channel: 'C1', ts: '1700000000.000100' }) };
    const isAnswered = Promise.withResolvers<void>();
    scene.chat.respondWith({ ...ok, after: isAnswered.promise });
    const posting = scene.post(ctx, id);
    await scene.chat.received(1);
    await answerInput(ctx, { inputId, body: { answer: 'a' } });
    await fanOut();
    scene.chat.respondWith(ok);
    isAnswered.resolve();
    await posting;
    expect((await scene.messages(ctx, id)).map(({ kind }) => kind)).toEqual(['post', 'edit']);
    await eventually(async () => {
      await scene.post(ctx, id);
      return JSON.stringify(scene.bodies().at(-1)).includes('answered: a');
    });
  });
});

describe('a question that was answered before it could be posted', () => {
  it('is posted with its answer and without buttons', async () => {
    const id = await connect();
    const { inputId } = await asked({ kind: 'choice', options: ['a', 'b'] });
    await fanOut();
    await answerInput(ctx, { inputId, body: { answer: 'a' } });
    await scene.post(ctx, id);
    expect(actionsOf(0)).toBeUndefined();
    expect(JSON.stringify(blocksOf(0))).toContain('answered: a');
  });
});

describe('a request of the chat', () => {
  it('is refused with a wrong secret, an old timestamp or one from later', async () => {
    const { inputId, block, id } = await postedChoice();
    const click = clickOn('answer:1', block);
    const now = ctx.clock.now().getTime();
    await expect(send(click, { secret: 'wrong' })).rejects.toMatchObject(forbidden);
    await expect(send(click, { secret: 'wrong', to: id })).rejects.toMatchObject(forbidden);
    await expect(send(click, { at: now - 301_000 })).rejects.toMatchObject(forbidden);
    await expect(send(click, { at: now + 302_000 })).rejects.toMatchObject(forbidden);
    await expect(send(click, { to: newId('integration') })).rejects.toMatchObject(forbidden);
    const { raw, headers } = requestOf(click);
    for (const signature of [
      undefined,
      '',
      'v0=',
      headers['x-slack-signature'].slice(3),
      headers['x-slack-signature'].toUpperCase(),
    ])
      await expect(
        receiveChatRequest(receiver, { raw, headers: { ...headers, 'x-slack-signature': signature } }),
      ).rejects.toMatchObject(forbidden);
    const later = { ...headers, 'x-slack-request-timestamp': String(Number(headers['x-slack-request-timestamp']) + 1) };
    await expect(receiveChatRequest(receiver, { raw, headers: later })).rejects.toMatchObject(forbidden);
    expect((await inputOf(inputId)).status).toBe('pending');
  });

  it('gets its challenge back, at both addresses', async () => {
    const id = await connect();
    const raw = Buffer.from(JSON.stringify({ type: 'url_verification', challenge: 'c1' }));
    for (const to of [id, ''])
      expect(await send({}, { raw, type: 'application/json', to })).toEqual({ challenge: 'c1' });
    expect(await send({}, { raw: Buffer.from('ssl_check=1&token=x'), to: id })).toEqual({});
  });

  it.each<[string, Buffer | object]>([
    ['no payload', Buffer.from('a=b')],
    ['a payload that is no JSON', Buffer.from('payload=%7B')],
    ['a payload that is no object', Buffer.from('payload=7')],
    ['too deep', Buffer.from(`payload=${'['.repeat(1_000)}`)],
    ['a click without an action', { type: 'block_actions', user: { id: 'U1' }, actions: [] }],
  ])('that is signed but has %s is refused', async (_name, body) => {
    const id = await connect();
    const raw = Buffer.isBuffer(body) ? body : undefined;
    await expect(send(body, { to: id, ...(raw ? { raw } : {}) })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('of another kind is acknowledged and ignored', async () => {
    const id = await connect();
    for (const payload of [{ type: 'view_submission' }, clickOn('open', 'none'), clickOn('answer:0', 'x:y')])
      expect(await send(payload, { to: id })).toEqual({});
    expect(outcomes).toEqual(['ignored', 'ignored', 'ignored']);
  });
});
