import type { UseCaseContext } from '@eas/db';
import { claimNext, expireMessages, findDue } from '@eas/outbound';
import { type SinkResponse, useTestDatabase } from '@eas/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startChatScene } from '../../test/chat-scene.ts';
import { changeIntegration, getIntegration } from '@eas/integrations';
import { chatChannels, chatMessages } from '../messages/chat-tables.ts';
import { chatKind } from './chat-kind.ts';

const test = useTestDatabase();
let scene: Awaited<ReturnType<typeof startChatScene>>;
let ctx: UseCaseContext;
beforeAll(async () => {
  scene = await startChatScene();
  await test.stopClock();
});
afterAll(() => scene.close());
let seconds = 0;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  scene.forget();
  scene.chat.respondWith(apiOk);
});
afterEach(() => scene.forget());

const json = (body: object, rest: { status?: number; headers?: Record<string, string> } = {}): SinkResponse => ({
  status: 200,
  ...rest,
  body: JSON.stringify(body),
});
const apiOk = json({ ok: true, channel: 'C1', ts: '1700000000.000100' });
const later = (more: number) => test.shiftClock((seconds += more));
const states = async (id: string) => (await scene.messages(ctx, id)).map(({ state }) => state);
const dueChannels = async () =>
  (await findDue(test.database.db, chatChannels)).filter(({ tenantId }) => tenantId === ctx.tenantId);
const claim = (key: { integrationId: string; channel: string }) =>
  ctx.inTransaction((tx) => claimNext(tx, chatKind(scene.posting), key));

describe('a message of a chosen event', () => {
  it('is posted with the token to each channel, and never twice', async () => {
    const id = await scene.connect(ctx, { channels: ['C1', 'C2'] });
    const events = await scene.comment(ctx, ['hello']);
    await scene.queue(ctx, events);
    await scene.queue(ctx, events);
    for (const channel of ['C1', 'C2', 'C1']) await scene.post(ctx, id, channel);
    expect(scene.bodies().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
    expect(scene.chat.requests[0]).toMatchObject({
      path: '/chat.postMessage',
      headers: { authorization: 'Bearer xoxb-the-token-itself' },
    });
    expect(await states(id)).toEqual(['posted', 'posted']);
  });

  it('is posted to the address of an incoming webhook', async () => {
    scene.chat.respondWith({ status: 200, body: 'ok' });
    const id = await scene.connect(ctx, {
      channels: [],
      token: null,
      webhook_url: `${scene.chat.url}/services/T/B/secret`,
    });
    await scene.say(ctx, 'a <b> & c');
    await scene.post(ctx, id, '');
    expect(scene.chat.requests[0]?.path).toBe('/services/T/B/secret');
    expect(JSON.stringify(scene.bodies()[0])).toContain('a &lt;b&gt; &amp; c');
    expect(await states(id)).toEqual(['posted']);
  });

  it('is not made for other events, other tenants or a workspace that is switched off', async () => {
    const id = await scene.connect(ctx, { events: ['workflow.*', 'task.completed'] });
    const off = await scene.connect(ctx);
    await changeIntegration(ctx, { id: off, ifMatch: undefined, body: { status: 'disconnected' } });
    const other = test.context({ tenantId: await test.createTenant() });
    await scene.connect(other);
    await scene.say(ctx, 'hello');
    expect([await states(id), await states(off)]).toEqual([[], []]);
    expect(await dueChannels()).toEqual([]);
  });
});

describe('a channel', () => {
  it('gets one message a second, the oldest first', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one', 'two');
    await scene.post(ctx, id);
    await scene.post(ctx, id);
    expect(scene.chat.requests).toHaveLength(1);
    await later(1);
    expect(await dueChannels()).toHaveLength(1);
    await scene.post(ctx, id);
    const texts = scene.bodies().map(({ blocks }) => JSON.stringify(blocks));
    expect([texts[0]?.includes('one'), texts[1]?.includes('two')]).toEqual([true, true]);
    await later(1);
    expect(await dueChannels()).toEqual([]);
  });

  it('waits as long as Retry-After says, which costs no attempt', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    scene.chat.respondWith(
      json({ ok: false, error: 'ratelimited' }, { status: 429, headers: { 'retry-after': '120' } }),
    );
    await scene.post(ctx, id);
    expect(await scene.messages(ctx, id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    scene.chat.respondWith(apiOk);
    await later(119);
    await scene.post(ctx, id);
    expect(scene.chat.requests).toHaveLength(1);
    await later(1);
    await scene.post(ctx, id);
    expect(await states(id)).toEqual(['posted']);
  });

  it('keeps 200 messages, leaves out the oldest, and says how many with the next one', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, ...Array.from({ length: 120 }, (_, n) => `a${n}`));
    await scene.say(ctx, ...Array.from({ length: 120 }, (_, n) => `b${n}`));
    const all = await test.database.db.query<{ state: string; count: number }>(
      `SELECT state, count(*)::int AS count FROM chat_messages WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1`,
      [ctx.tenantId],
    );
    expect(all).toEqual([
      { state: 'pending', count: 200 },
      { state: 'skipped', count: 40 },
    ]);
    await scene.post(ctx, id);
    expect(JSON.stringify(scene.bodies()[0])).toContain('40 more events were not posted');
    await later(1);
    await scene.post(ctx, id);
    expect(JSON.stringify(scene.bodies()[1])).not.toContain('more events');
  });

  it('that a dead process has claimed is taken over by another, which alone records what comes of it', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    const key = { integrationId: id, channel: 'C1' };
    expect((await claim(key))?.message.eventType).toBe('task.commented');
    expect(await claim(key)).toBeUndefined();
    await later(30);
    await scene.post(ctx, id);
    expect(scene.chat.requests).toHaveLength(1);
    expect(await scene.messages(ctx, id)).toMatchObject([{ state: 'posted', attempts: 1 }]);
  });

  it('is given up by a process whose claim another one has taken over', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    const isTaken = Promise.withResolvers<void>();
    scene.chat.respondWith({ status: 500, after: isTaken.promise });
    const slow = scene.post(ctx, id);
    await scene.chat.received(1);
    await later(30);
    const key = { integrationId: id, channel: 'C1' };
    const second = await claim(key);
    isTaken.resolve();
    await slow;
    expect(await scene.messages(ctx, id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    const [row] = await test.database.db.query<{ claims: number }>(
      'SELECT claims FROM chat_channels WHERE tenant_id = $1',
      [ctx.tenantId],
    );
    expect(row?.claims).toBe(second?.fence);
  });
});

describe('an error that passes', () => {
  it.each<[string, SinkResponse, string]>([
    ['500', { status: 500, body: 'oops' }, 'http_500'],
    [
      'a page of a proxy',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
      'not_a_chat_response',
    ],
    ['a redirect', { status: 302, headers: { location: 'https://example.com' } }, 'http_302'],
    ['internal_error', json({ ok: false, error: 'internal_error' }), 'internal_error'],
    ['no response', { kind: 'hang' }, 'timeout_headers'],
    ['a reset', { kind: 'reset' }, 'reset'],
  ])('of %s is tried again with growing gaps, and leaves the integration active', async (_name, response, reason) => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    scene.chat.respondWith(response);
    await scene.post(ctx, id);
    const [message] = await scene.messages(ctx, id);
    expect(message).toMatchObject({ state: 'pending', attempts: 1 });
    expect(message?.last_error).toBe(reason);
    scene.chat.respondWith(apiOk);
    await later(7);
    await scene.post(ctx, id);
    expect(await states(id)).toEqual(['posted']);
    expect((await getIntegration(ctx, id)).integration.status).toBe('active');
  });

  it('is an error of the integration from the first attempt on', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    scene.chat.respondWith({ status: 503 });
    await scene.post(ctx, id);
    expect(await scene.messages(ctx, id)).toMatchObject([{ state: 'pending', attempts: 1, last_error: 'http_503' }]);
    expect((await getIntegration(ctx, id)).integration).toMatchObject({
      status: 'active',
      last_error: { reason: 'http_503', at: expect.any(String) },
    });
  });

  it('ends after ten attempts', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    scene.chat.respondWith({ status: 503 });
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await scene.post(ctx, id);
      await later(10 * 3_600);
    }
    expect(scene.chat.requests).toHaveLength(10);
    expect(await scene.messages(ctx, id)).toMatchObject([
      {
        state: 'failed',
        attempts: 10,
        last_error: 'http_503',
        detail: 'The chat has a problem of its own (http_503).',
      },
    ]);
    expect((await getIntegration(ctx, id)).integration.last_error?.reason).toBe('http_503');
  });

  it('ends after a day in any case', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one');
    await later(24 * 3_600 + 1);
    await expireMessages(test.database.db, chatMessages, 24);
    expect(await scene.messages(ctx, id)).toMatchObject([{ state: 'expired', last_error: 'too_old' }]);
    await scene.post(ctx, id);
    expect(scene.chat.requests).toEqual([]);
  });
});

describe('an error that stays', () => {
  it('of one message fails that message alone', async () => {
    const id = await scene.connect(ctx);
    await scene.say(ctx, 'one', 'two');
    scene.chat.respondWith(json({ ok: false, error: 'invalid_blocks' }));
    await scene.post(ctx, id);
    scene.chat.respondWith(apiOk);
    await later(1);
    await scene.post(ctx, id);
    expect(await scene.messages(ctx, id)).toMatchObject([
      { state: 'failed', last_error: 'invalid_blocks' },
      { state: 'posted' },
    ]);
    expect((await getIntegration(ctx, id)).integration.status).toBe('active');
  });

  it('of a channel stops that channel and says why, until the channels change', async () => {
    const id = await scene.connect(ctx, { channels: ['C1', 'C2'] });
    await scene.say(ctx, 'one');
    scene.chat.respondWith(json({ ok: false, error: 'is_archived' }));
    await scene.post(ctx, id, 'C1');
    scene.chat.respondWith(apiOk);
    await scene.post(ctx, id, 'C2');
    expect((await getIntegration(ctx, id)).integration).toMatchObject({
      status: 'degraded',
      status_reason: expect.stringContaining('archived'),
      last_error: { reason: 'is_archived' },
    });
    await scene.say(ctx, 'two');
    await later(60);
    expect((await dueChannels()).map(({ key }) => key['channel'])).toEqual(['C2']);
    await changeIntegration(ctx, { id, ifMatch: undefined, body: { channels: ['C1', 'C2', 'C3'] } });
    expect((await getIntegration(ctx, id)).integration).not.toHaveProperty('status_reason');
    await scene.post(ctx, id, 'C1');
    expect((await scene.messages(ctx, id)).filter(({ channel }) => channel === 'C1')).toMatchObject([
      { state: 'posted' },
      { state: 'pending' },
    ]);
  });

  it.each<[string, SinkResponse]>([
    ['invalid_auth', json({ ok: false, error: 'invalid_auth' })],
    ['account_inactive', json({ ok: false, error: 'account_inactive' })],
    ['http_404', { status: 404 }],
    ['http_403', { status: 403 }],
  ])('%s stops the integration, until it gets another token', async (reason, response) => {
    const id = await scene.connect(ctx, { channels: ['C1', 'C2'] });
    await scene.say(ctx, 'one');
    scene.chat.respondWith(response);
    await scene.post(ctx, id, 'C1');
    expect((await getIntegration(ctx, id)).integration).toMatchObject({ status: 'degraded', last_error: { reason } });
    await later(3_600);
    expect(await dueChannels()).toEqual([]);
    scene.chat.respondWith(apiOk);
    await changeIntegration(ctx, { id, ifMatch: undefined, body: { token: 'xoxb-another' } });
    for (const channel of ['C1', 'C2']) await scene.post(ctx, id, channel);
    expect(await states(id)).toEqual(['posted', 'posted']);
    expect((await getIntegration(ctx, id)).integration.status).toBe('active');
  });

  it.each<[string, SinkResponse]>([
    ['no_service', { status: 404, body: 'no_service' }],
    ['http_410', { status: 410 }],
    ['channel_is_archived', { status: 410, body: 'channel_is_archived' }],
    ['http_403', { status: 403, headers: { 'content-type': 'text/html' }, body: '<p>no</p>' }],
  ])('%s of an incoming webhook stops it', async (reason, response) => {
    scene.chat.respondWith(response);
    const id = await scene.connect(ctx, { token: null, webhook_url: `${scene.chat.url}/services/secret` });
    await scene.say(ctx, 'one');
    await scene.post(ctx, id, '');
    const { integration } = await getIntegration(ctx, id);
    expect(integration).toMatchObject({ status: 'degraded', last_error: { reason } });
    expect(JSON.stringify([integration, await scene.messages(ctx, id)])).not.toContain('services/secret');
  });

  it('of an address inside the network is not called at all', async () => {
    const id = await scene.connect(ctx, { token: null, webhook_url: 'https://10.0.0.1/hook' });
    await scene.say(ctx, 'one');
    await scene.post(ctx, id, '');
    expect((await getIntegration(ctx, id)).integration.last_error?.reason).toBe('blocked_target');
  });
});
