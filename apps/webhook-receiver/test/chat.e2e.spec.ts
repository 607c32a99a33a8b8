import { createHmac } from 'node:crypto';
import { type Listening, serve } from '@eas/http';
import { createChatReceiver, createIntegration, createReceiver } from '@eas/integrations';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiverApp } from '../src/app.ts';

const test = useTestDatabase();
const secret = 'the signing secret of the chat';
let listening: Listening;
let id = '';

beforeAll(async () => {
  const ctx = test.context();
  const body = { type: 'slack', workspace_name: 'acme', token: 'xoxb', signing_secret: secret } as const;
  id = (await createIntegration(ctx, body)).integration.id;
  const parts = { database: test.database, secrets: ctx.secrets, logger: silentLogger };
  const receiver = createReceiver(parts);
  const chat = createChatReceiver({ ...parts, receiver });
  const app = receiverApp({
    receiver,
    chat,
    logger: silentLogger,
    unsigned: 'true',
    trustProxy: [],
    gatewaySecrets: [],
  });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => listening?.close(100));

const now = () => Math.floor(Date.now() / 1_000);

async function post(body: string, { at = now(), key = secret, path = `/webhook/chat/${id}`, isSigned = true } = {}) {
  const digest = createHmac('sha256', key).update(`v0:${at}:${body}`).digest('hex');
  const signature = { 'x-slack-signature': `v0=${digest}`, 'x-slack-request-timestamp': String(at) };
  const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(isSigned ? signature : {}) },
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const ok = { status: 200, body: { ok: true } };
const error = (status: number, code: string) => ({ status, body: { error: { message: expect.any(String), code } } });
const click = `payload=${encodeURIComponent('{"type":"block_actions","user":{"id":"U1"},"actions":[{"action_id":"open","block_id":"x"}]}')}`;

describe('POST /webhook/chat', () => {
  it('takes a signed click, at both addresses', async () => {
    expect(await post(click)).toEqual(ok);
    expect(await post(click, { path: '/webhook/chat' })).toEqual(ok);
  });

  it('gives the challenge of the chat back', async () => {
    const body = '{"type":"url_verification","challenge":"c1"}';
    expect(await post(body)).toEqual({ status: 200, body: { ok: true, challenge: 'c1' } });
    expect(await post('ssl_check=1&token=x')).toEqual(ok);
  });

  it('refuses what is not signed, signed wrongly or old, also where unsigned webhooks are taken', async () => {
    expect(await post(click, { isSigned: false })).toEqual(error(403, 'forbidden'));
    expect(await post(click, { key: 'another secret' })).toEqual(error(403, 'forbidden'));
    expect(await post(click, { at: now() - 301 })).toEqual(error(403, 'forbidden'));
    expect(await post(click, { at: now() + 310 })).toEqual(error(403, 'forbidden'));
    expect(await post(click, { path: '/webhook/chat/int_unknown' })).toEqual(error(403, 'forbidden'));
  });

  it('refuses a signed body that has no payload', async () => {
    expect(await post('a=b')).toEqual(error(400, 'invalid_request'));
    expect(await post('')).toEqual(error(400, 'invalid_request'));
  });
});
