import { type SinkResponse, useTestDatabase } from '@eas/testing';
import type { UseCaseContext } from '@eas/db';
import type { Logger } from '@eas/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startChatScene } from '../../test/chat-scene.ts';
import { changeIntegration, createIntegration, getIntegration, listIntegrations } from '@eas/integrations';
import { createChatTesting } from '../index.ts';
import { testIntegration } from '@eas/receiving';

const test = useTestDatabase();
let scene: Awaited<ReturnType<typeof startChatScene>>;
let ctx: UseCaseContext;
beforeAll(async () => {
  scene = await startChatScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  scene.forget();
  scene.chat.respondWith(ok);
});
const json = (body: object, rest: object = {}): SinkResponse => ({ status: 200, ...rest, body: JSON.stringify(body) });
const ok = json({ ok: true, channel: 'C1', ts: '1' });
const run = (id: string, by = ctx) =>
  testIntegration(by, id, createChatTesting(scene.posting.send, scene.posting.apiUrl));

describe('the test of a chat integration', () => {
  it('posts a message to each channel and makes a degraded integration active again', async () => {
    const id = await scene.connect(ctx, { channels: ['C1', 'C2'] });
    await scene.say(ctx, 'one');
    scene.chat.respondWith(json({ ok: false, error: 'invalid_auth' }));
    await scene.post(ctx, id, 'C1');
    expect((await getIntegration(ctx, id)).integration.status).toBe('degraded');
    scene.forget();
    scene.chat.respondWith(ok);
    expect(await run(id)).toMatchObject({ is_accepted: true, reason: null, error: null });
    expect(scene.bodies().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
    const { integration } = await getIntegration(ctx, id);
    expect([integration.status, 'status_reason' in integration]).toEqual(['active', false]);
    await scene.post(ctx, id, 'C2');
    expect((await scene.messages(ctx, id)).filter(({ state }) => state === 'posted')).toHaveLength(1);
  });

  it.each<[string, SinkResponse, object]>([
    ['an error', json({ ok: false, error: 'channel_not_found' }), { reason: 'refused', error: 'channel_not_found' }],
    ['too many requests', { status: 429 }, { reason: 'rate_limited', error: 'http_429' }],
    ['a server error', { status: 502 }, { reason: 'no_response', error: 'http_502' }],
    ['no response', { kind: 'hang' }, { reason: 'no_response' }],
  ])('says what came back: %s', async (_name, response, expected) => {
    const id = await scene.connect(ctx);
    scene.chat.respondWith(response);
    expect(await run(id)).toMatchObject({ is_accepted: false, detail: expect.any(String), ...expected });
  });

  it('says that nothing was sent where a header cannot carry the token, which was taken before', async () => {
    const id = await scene.connect(ctx, { token: 'xoxb-the-token\nitself' });
    const result = await run(id);
    expect(result).toMatchObject({ is_accepted: false, reason: 'refused', error: 'token_unusable' });
    expect(result.detail).toMatch(/^Nothing was sent: /);
    await scene.say(ctx, 'one');
    await scene.post(ctx, id);
    expect((await getIntegration(ctx, id)).integration).toMatchObject({ status: 'degraded' });
    expect(scene.chat.requests).toEqual([]);
  });

  it('posts nothing where there is no address, or where the integration is switched off', async () => {
    const id = await scene.connect(ctx, { channels: [] });
    expect(await run(id)).toMatchObject({ is_accepted: false, reason: 'no_address' });
    await changeIntegration(ctx, { id, ifMatch: undefined, body: { status: 'disconnected' } });
    expect(await run(id)).toMatchObject({ is_accepted: false, reason: 'disconnected' });
    expect(scene.chat.requests).toEqual([]);
  });
});

describe('the secrets of a chat integration', () => {
  it('are in no row, response, error or log line, whatever the chat responds', async () => {
    const lines: unknown[] = [];
    const record = (...parts: unknown[]) => void lines.push(parts);
    const logger = { debug: record, info: record, warn: record, error: record } as unknown as Logger;
    const loud = { ...ctx, logger };
    const secrets = { token: 'xoxb-very-secret', signing_secret: 'very-secret-to-sign' };
    const byToken = await scene.connect(loud, secrets);
    const url = `${scene.chat.url}/services/very-secret`;
    const byUrl = await scene.connect(loud, { ...secrets, token: null, channels: [], webhook_url: url });
    const echo = { error: url, message: 'xoxb-very-secret', ok: false };
    const responses: SinkResponse[] = [json(echo), json(echo, { status: 500 }), { kind: 'reset' }, { kind: 'hang' }];
    for (const response of [...responses, json(echo, { status: 403 })]) {
      await scene.say(loud, 'x');
      scene.chat.respondWith(response);
      await scene.post(loud, byToken);
      await scene.post(loud, byUrl, '');
      lines.push(await run(byToken, loud), await run(byUrl, loud));
    }
    lines.push(await listIntegrations(ctx, {}), await scene.messages(ctx, byToken), await scene.messages(ctx, byUrl));
    for (const table of ['integrations', 'chat_messages', 'chat_channels', 'chat_clicks'])
      lines.push(await test.database.db.query(`SELECT * FROM ${table} WHERE tenant_id = $1`, [ctx.tenantId]));
    expect(lines.length).toBeGreaterThan(10);
    expect(JSON.stringify(lines, withErrors)).not.toMatch(/very-secret/);
  });

  it('change one by one', async () => {
    const id = await scene.connect(ctx, { signing_secret: 'first', webhook_url: 'https://hooks.example.com/x' });
    const sealed = async () =>
      (
        await test.database.db.query<Record<string, string | null>>(
          'SELECT secret, token, signing_secret FROM integrations WHERE tenant_id = $1 AND id = $2',
          [ctx.tenantId, id],
        )
      )[0];
    const before = await sealed();
    await changeIntegration(ctx, { id, ifMatch: undefined, body: { signing_secret: 'second' } });
    const after = await sealed();
    expect([after?.['secret'], after?.['token']]).toEqual([before?.['secret'], before?.['token']]);
    expect(after?.['signing_secret']).not.toBe(before?.['signing_secret']);
    await changeIntegration(ctx, { id, ifMatch: undefined, body: { token: null, signing_secret: null } });
    expect(await sealed()).toMatchObject({ token: null, signing_secret: null });
  });
});

const withErrors = (_key: string, value: unknown) =>
  value instanceof Error ? { message: value.message, stack: value.stack } : value;

describe('events of a chat integration', () => {
  it('need the scopes to read them, at creation and where events or the address change', async () => {
    const body = { type: 'slack' as const, workspace_name: 'acme', token: 'xoxb', channels: ['C1'] };
    const forbidden = { code: 'forbidden', message: expect.stringContaining('tasks:read') };
    await expect(createIntegration(ctx, { ...body, events: ['task.*'] }, ['integrations:write'])).rejects.toMatchObject(
      forbidden,
    );
    const { integration } = await createIntegration(ctx, { ...body, events: ['task.*'] }, ['tasks:read']);
    const change = (patch: object) =>
      changeIntegration(ctx, {
        id: integration.id,
        ifMatch: undefined,
        body: patch,
        callerScopes: ['integrations:write'],
      });
    for (const patch of [
      { channels: ['C2'] },
      { token: 'xoxb-2' },
      { webhook_url: 'https://a.example' },
      { events: ['*'] },
    ])
      await expect(change(patch)).rejects.toMatchObject({ code: 'forbidden' });
    await change({ workspace_name: 'Acme' });
  });
});
