import { createHmac } from 'node:crypto';
import { newId } from '@eas/core';
import { type Listening, serve } from '@eas/http';
import { createChatReceiver } from '@eas/chat';
import { createIntegration } from '@eas/integrations';
import { createReceiver } from '@eas/receiving';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@eas/runtime';
import { receiverApp } from '../src/app.ts';
import { countReceipts } from '../src/count-receipts.ts';

const test = useTestDatabase();
const secret = 'the signing secret of the chat';
const metrics = createMetrics({ withDefaults: false });
const logged: unknown[][] = [];
const logger = { ...silentLogger, warn: (...line: unknown[]) => void logged.push(line) };
let listening: Listening;
let id = '';

beforeAll(async () => {
  const ctx = test.context();
  const body = { type: 'slack', workspace_name: 'acme', token: 'xoxb', signing_secret: secret } as const;
  id = (await createIntegration(ctx, body)).integration.id;
  // However long the test takes, one line is written of each reason.
  const clock = { now: () => test.database.clock.now(), monotonicMs: () => 0 };
  const parts = { database: { ...test.database, clock }, secrets: ctx.secrets, logger };
  const { onReceipt, onRefusal } = countReceipts(metrics);
  const receiver = createReceiver({ ...parts, onReceipt });
  const chat = createChatReceiver({ ...parts, receiver, onRefusal });
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
const clickOn = (block: string) => {
  const payload = { type: 'block_actions', user: { id: 'U1' }, actions: [{ action_id: 'open', block_id: block }] };
  return `payload=${encodeURIComponent(JSON.stringify(payload))}`;
};
const click = clickOn('x');

async function refusals(): Promise<Record<string, number>> {
  const metric = await metrics.registry.getSingleMetric('eas_chat_requests_refused_total')?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels['reason'], value]));
}

describe('POST /webhook/chat', () => {
  it('counts what it refuses by the reason, and logs it without what it carried', async () => {
    const other = newId('integration');
    await post(click, { isSigned: false });
    await post(click, { at: now() - 301 });
    for (let n = 0; n < 3; n += 1) await post(click, { key: 'another secret' });
    await post(click, { path: `/webhook/chat/${other}` });
    await post('a=b&token=sent-by-anybody');
    await post(clickOn(`${other}:${newId('input')}`));
    const replayed = clickOn(`${id}:${newId('input')}`);
    const at = now();
    for (let n = 0; n < 2; n += 1) await post(replayed, { at });
    expect(await refusals()).toEqual({
      unsigned: 1,
      timestamp: 1,
      signature: 3,
      unknown_integration: 1,
      malformed: 1,
      repeated: 1,
      not_ours: 2,
    });
    const lines = logged.map(([fields]) => fields as { reason: string });
    expect(new Set(lines.map(({ reason }) => reason)).size).toBe(7);
    expect(lines.length).toBe(7);
    expect(lines).toContainEqual({ reason: 'unknown_integration', integrationId: other, unlogged: 0 });
    expect(JSON.stringify(logged)).not.toMatch(/secret|sent-by-anybody|U1|v0=/);
  });

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
    expect(await post(click, { at: now() + 400 })).toEqual(error(403, 'forbidden'));
    expect(await post(click, { path: '/webhook/chat/int_unknown' })).toEqual(error(403, 'forbidden'));
  });

  it('refuses a signed body that has no payload', async () => {
    expect(await post('a=b')).toEqual(error(400, 'invalid_request'));
    expect(await post('')).toEqual(error(400, 'invalid_request'));
  });
});
