import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { type Listening, serve } from '@eas/http';
import { createIntegration } from '@eas/integrations';
import { createReceiver } from '@eas/receiving';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiverApp } from '../src/app.ts';
import type { UnsignedPolicy } from '../src/unsigned-policy.ts';

type Example = { action?: string; [field: string]: unknown };
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: Example[];
}[];
const octokitExamples = (event: string) => examples.find(({ name }) => name === event)?.examples ?? [];

const test = useTestDatabase();
const secret = 'the receiver’s secret';
const gatewaySecret = 'of the installation';
let githubId = '';
const listening = new Map<UnsignedPolicy, Listening>();
const senders: [tenantId: string, bytes: number][] = [];

beforeAll(async () => {
  const ctx = test.context();
  await createIntegration(ctx, { type: 'taskplatform', webhook_id: 'w1', secret });
  githubId = (await createIntegration(ctx, { type: 'github', org_name: 'Codertocat', secret })).integration.id;
  for (const unsigned of ['false', 'true', 'local'] as const) {
    const onSender = (...sender: (typeof senders)[number]) => void senders.push(sender);
    const receiver = createReceiver({ database: test.database, secrets: ctx.secrets, logger: silentLogger, onSender });
    const app = receiverApp({
      receiver,
      logger: silentLogger,
      unsigned,
      trustProxy: ['127.0.0.0/8', '::1/128'],
      gatewaySecrets: [gatewaySecret],
    });
    listening.set(unsigned, await serve(app, { host: '127.0.0.1', port: 0 }));
  }
});
afterAll(async () => {
  for (const one of listening.values()) await one.close(100);
});

const addressOf = (path: string, unsigned: UnsignedPolicy) =>
  `http://127.0.0.1:${listening.get(unsigned)?.port}${path}`;
const hmac = (body: string | Buffer) => createHmac('sha256', secret).update(body).digest('hex');
const created = JSON.stringify({ event: 'taskCreated', task_id: 't1', webhook_id: 'w1' });

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
  { path = '/webhook/taskplatform', unsigned = 'false' as UnsignedPolicy } = {},
) {
  const response = await fetch(addressOf(path, unsigned), { method: 'POST', body: body as never, headers });
  return { status: response.status, body: (await response.json()) as unknown };
}

const signed = (body: string | Buffer) => post(body, { 'x-signature': hmac(body) });
const receiverError = (code: string) => ({ error: { message: expect.any(String), code } });
const countStored = async () =>
  (await test.database.db.query<{ count: number }>('SELECT count(*)::int AS count FROM inbound_events'))[0]?.count ?? 0;

describe('POST /webhook/taskplatform', () => {
  it('responds with {"ok":true} to a signed body, whatever its content type', async () => {
    const before = await countStored();
    expect(await signed(created)).toEqual({ status: 200, body: { ok: true } });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8']) {
      const result = await post(created, { 'x-signature': hmac(created), 'content-type': type });
      expect(result).toEqual({ status: 200, body: { ok: true } });
    }
    expect(await countStored()).toBe(before + 4);
    // For the load of each tenant.
    expect(senders).toEqual(Array.from({ length: 4 }, () => [test.context().tenantId, created.length]));
  });

  it('responds with 403 to a body that is not signed or signed wrongly', async () => {
    const before = await countStored();
    const wrong: Record<string, string>[] = [
      {},
      ...['', hmac('other'), 'x'.repeat(64)].map((x) => ({ 'x-signature': x })),
    ];
    for (const headers of wrong)
      expect(await post(created, headers)).toEqual({ status: 403, body: receiverError('forbidden') });
    expect(await countStored()).toBe(before);
  });

  it.each([
    ['no body', ''],
    ['no JSON', '{"event":'],
    ['no object', '[]'],
    ['no event', '{}'],
    ['an event of another type', '{"event":7}'],
    ['a name of no event', '{"event":"hello"}'],
    ['a missing id', '{"event":"taskUpdated"}'],
    ['an id of another type', '{"event":"taskUpdated","task_id":7}'],
    ['data of another type', '{"event":"goalUpdated","goal_id":"g","data":{"percent_completed":"half"}}'],
    ['U+0000', '{"event":"taskUpdated","task_id":"a\\u0000"}'],
    ['a lone surrogate', '{"event":"taskUpdated","task_id":"\\ud800"}'],
    ['deep nesting', `{"event":"taskUpdated","task_id":"t","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['bytes that are no text', Buffer.from([0xff, 0xfe])],
  ])('responds with 400 to %s and stores nothing', async (_name, body) => {
    const before = await countStored();
    expect(await signed(body)).toEqual({ status: 400, body: receiverError('invalid_request') });
    expect(await countStored()).toBe(before);
  });

  it('takes 5 MiB and responds with 413 to more', async () => {
    const filled = (bytes: number) => {
      const head = '{"event":"taskUpdated","task_id":"t1","webhook_id":"w1","x":"';
      return `${head}${'x'.repeat(bytes - head.length - 2)}"}`;
    };
    expect((await signed(filled(5 * 1024 * 1024))).status).toBe(200);
    expect(await signed(filled(5 * 1024 * 1024 + 1))).toEqual({ status: 413, body: receiverError('invalid_request') });
  });

  it('takes unsigned bodies where that is allowed', async () => {
    expect(await post(created, {}, { unsigned: 'true' })).toEqual({ status: 200, body: { ok: true } });
    expect((await post(created, { 'x-forwarded-for': '203.0.113.9' }, { unsigned: 'true' })).status).toBe(200);
  });

  it('takes unsigned bodies from this machine alone, if so set', async () => {
    const at = { unsigned: 'local' as const };
    expect((await post(created, {}, at)).status).toBe(200);
    const refused: Record<string, string>[] = [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
      { via: '1.1 tunnel' },
      { 'cf-connecting-ip': '127.0.0.1' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of refused) expect([headers, (await post(created, headers, at)).status]).toEqual([headers, 403]);
  });

  it('trusts the client address only from a gateway of this installation', async () => {
    const at = { unsigned: 'local' as const };
    const from = (caller: string, proof = gatewaySecret) => ({ 'x-gateway-proof': proof, 'x-gateway-caller': caller });
    expect((await post(created, from('127.0.0.1'), at)).status).toBe(200);
    const refused: Record<string, string>[] = [
      from('203.0.113.9'),
      from('127.0.0.1', 'a guess'),
      { ...from('127.0.0.1'), via: '1.1 tunnel' },
    ];
    for (const headers of refused) expect([headers, (await post(created, headers, at)).status]).toEqual([headers, 403]);
  });

  it('takes no unsigned body for another host, from any address', async () => {
    const body = Buffer.from(created);
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        const options = { method: 'POST', headers: { host, 'content-length': body.length } };
        const request = httpRequest(addressOf('/webhook/taskplatform', 'local'), options, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject).end(body);
      });
    expect([await statusFor('localhost'), await statusFor('rebound.example')]).toEqual([200, 403]);
  });

  it('responds with 404 to paths that are no receiver, 405 to other methods, in the receivers’ form', async () => {
    expect(await post(created, {}, { path: '/webhook/other' })).toEqual({
      status: 404,
      body: receiverError('not_found'),
    });
    const read = await fetch(addressOf('/webhook/taskplatform', 'false'));
    expect(read.status).toBe(405);
    expect(read.headers.get('allow')).toBe('POST');
    expect(await read.json()).toEqual(receiverError('invalid_request'));
  });

  it('takes a body that comes in pieces', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: { 'x-signature': hmac(created) } };
      const request = httpRequest(addressOf('/webhook/taskplatform', 'false'), options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write(created.slice(0, 10));
      setTimeout(() => request.end(created.slice(10)), 20);
    });
    expect(status).toBe(200);
  });
});

describe('POST /webhook/sourcehost', () => {
  let sent = 0;
  const sendText = (event: string, text: string, headers: Record<string, string> = {}, to = '') => {
    const own = {
      'x-github-event': event,
      'x-github-delivery': `d-${(sent += 1)}`,
      'x-hub-signature-256': `sha256=${hmac(text)}`,
    };
    return post(text, { ...own, ...headers }, { path: `/webhook/sourcehost${to}` });
  };
  const send = (event: string, body: object, headers: Record<string, string> = {}, to = '') =>
    sendText(event, JSON.stringify(body), headers, to);
  const formOf = (text: string) => new URLSearchParams({ payload: text }).toString();
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
  const accepted = { status: 200, body: { ok: true } };

  it('takes every example of GitHub that names the owner, and keeps what is followed of pull requests', async () => {
    const before = await countStored();
    for (const example of octokitExamples('pull_request'))
      expect(await send('pull_request', example, { 'x-github-delivery': '' })).toEqual({
        status: 200,
        body: { ok: true },
      });
    const actions = ['opened', 'reopened', 'synchronize', 'ready_for_review', 'edited', 'closed'];
    const followed = octokitExamples('pull_request').filter(({ action }) => actions.includes(action ?? ''));
    expect(followed.length).toBeGreaterThan(8);
    expect(await countStored()).toBe(before + followed.length);
    const issue = octokitExamples('issues')[0] ?? {};
    expect((await send('issues', issue)).status).toBe(200);
  });

  it('takes every example of every event of GitHub at the address of an integration, as JSON and as a form', async () => {
    const all = examples.flatMap(({ name, examples: own }) => own.map((example) => [name, example] as const));
    expect(all.length).toBeGreaterThan(300);
    for (const [name, example] of all) {
      const text = JSON.stringify(example);
      expect([name, await sendText(name, text, {}, `/${githubId}`)]).toEqual([name, accepted]);
      expect([name, await sendText(name, formOf(text), asForm, `/${githubId}`)]).toEqual([name, accepted]);
    }
  });

  it('takes every example that names an owner at the address of all integrations', async () => {
    type Named = { login?: string; owner?: Named; account?: Named };
    const ownerOf = (example: Example): string | undefined => {
      const { organization, repository, installation } = example as Record<string, Named | undefined>;
      return organization?.login ?? repository?.owner?.login ?? installation?.account?.login;
    };
    const owned = examples.flatMap(({ name, examples: own }) =>
      own.flatMap((example) => (ownerOf(example) === undefined ? [] : [[name, example] as const])),
    );
    expect(owned.length).toBeGreaterThan(300);
    const ctx = test.context();
    for (const org_name of new Set(owned.map(([, example]) => ownerOf(example) ?? '')))
      if (org_name !== 'Codertocat') await createIntegration(ctx, { type: 'github', org_name, secret });
    for (const [name, example] of owned) expect([name, await send(name, example)]).toEqual([name, accepted]);
  });

  it('verifies a form by its raw bytes, and finds its owner inside', async () => {
    const text = formOf(JSON.stringify(octokitExamples('pull_request')[0]));
    expect(await sendText('pull_request', text, asForm)).toEqual(accepted);
    const other = { ...asForm, 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(octokitExamples('ping')[0]))}` };
    expect(await sendText('pull_request', text, other)).toEqual({ status: 403, body: receiverError('forbidden') });
  });

  it.each([
    ['a form without the field', 'other=1', asForm],
    ['an empty form', '', asForm],
    ['a form whose payload is no JSON', 'payload=%7B', asForm],
    ['a form whose payload is no UTF-8', 'payload=%ff%fe', asForm],
    ['a form whose payload is too deep', `payload=${'%5B'.repeat(1_000)}`, asForm],
    ['JSON that is truncated', '{"action":"opened"', {}],
    ['JSON that is too deep', `{"action":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {}],
    ['JSON with too many values', `{"action":[${'0,'.repeat(30_000)}0]}`, {}],
    ['a list', '[]', { 'content-type': 'application/xml' }],
    ['no body', '', {}],
  ])('responds with 400 to %s and stores nothing', async (_name, text, headers) => {
    const before = await countStored();
    const refused = { status: 400, body: receiverError('invalid_request') };
    expect(await sendText('pull_request', text, headers as Record<string, string>, `/${githubId}`)).toEqual(refused);
    expect(await countStored()).toBe(before);
  });

  it('responds with 403 to a wrong signature and 400 to a missing event name', async () => {
    const [example = {}] = octokitExamples('pull_request');
    expect(await send('pull_request', example, { 'x-hub-signature-256': 'sha256=00' })).toMatchObject({ status: 403 });
    expect(await send('', example)).toEqual({ status: 400, body: receiverError('invalid_request') });
  });
});
