import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@eas/testing/eventually';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallResult } from '../lease/lease-keeper.ts';
import { type ModelProxy, openModelProxy } from './model-proxy.ts';
import { upstreamsIn } from '../presets/providers.ts';

const key = 'sk-operator-secret';
type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;
type Call = { verb: string; body: Record<string, unknown> };

let provider: Server;
let handle: Handler;
let seen: { url: string; headers: IncomingMessage['headers']; body: string }[];
let calls: Call[];
let decide: (call: Call) => object;
let proxy: ModelProxy;
let log: string[];
let budgets: (string | undefined)[];

const allow = { allowed: true, reason: null, budget_id: null, wait_ms: null };
const usage = { input_tokens: 5, output_tokens: 2 };
const said: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' });
  response.end(JSON.stringify({ content: [], usage }));
};

beforeEach(async () => {
  [seen, calls, log, budgets, handle, decide] = [[], [], [], [], said, () => allow];
  provider = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      handle(request, response, body);
    });
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const upstreams = upstreamsIn({
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: address,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${address}/v1/`,
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: address,
  });
  const keeper = {
    async call(verb: string, body: object): Promise<CallResult> {
      const call = { verb, body: body as Call['body'] };
      calls.push(call);
      return { kind: 'done', body: decide(call) };
    },
    report: async (verb: string, body: object) => void calls.push({ verb, body: body as Call['body'] }),
  };
  const onBudget = (refusal: string | undefined) => void budgets.push(refusal);
  proxy = await openModelProxy({ keeper, upstreams, onBudget, log: (line) => void log.push(line) });
});

afterEach(async () => {
  await proxy.close();
  provider.closeAllConnections();
  await new Promise((done) => provider.close(done));
});

const postOf = (body: object, headers: Record<string, string> = { 'x-api-key': proxy.token }) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
});
const post = (path: string, body: object, headers?: Record<string, string>) => fetch(path, postOf(body, headers));
const messages = () => `${proxy.addresses.anthropic}/v1/messages`;
const ask = { model: 'm', max_tokens: 10, messages: [] };

describe('a call through the proxy', () => {
  it('has the operator’s key in place of the token, is asked for before and counted after', async () => {
    const response = await post(`${messages()}?beta=true`, ask, { 'x-api-key': proxy.token, 'anthropic-version': '1' });
    expect(await response.json()).toEqual({ content: [], usage });
    expect(response.headers.get('set-cookie')).toBeNull();
    const [request] = seen;
    expect([request?.url, request?.body]).toEqual(['/v1/messages?beta=true', JSON.stringify(ask)]);
    expect(request?.headers).toMatchObject({
      'x-api-key': key,
      'anthropic-version': '1',
      'accept-encoding': 'identity',
    });
    const id = calls[0]?.body['call_id'];
    const bytes = JSON.stringify(ask).length;
    const started = { call_id: id, model: 'm', input_tokens: bytes, max_output_tokens: 10 };
    const used = { call_id: id, model: 'm', ...usage, cache_read_tokens: 0, cache_write_tokens: 0 };
    await proxy.close();
    expect(calls).toEqual([
      { verb: 'model-calls', body: started },
      { verb: 'model-calls/usage', body: used },
    ]);
  });

  it.each([
    ['openai', '/responses', { authorization: 'Bearer $' }, `Bearer ${key}`, 'authorization', '/v1/responses'],
    [
      'openai',
      '/chat/completions',
      { authorization: 'Bearer $' },
      `Bearer ${key}`,
      'authorization',
      '/v1/chat/completions',
    ],
    [
      'gemini',
      '/v1beta/models/g:generateContent',
      { 'x-goog-api-key': '$' },
      key,
      'x-goog-api-key',
      '/v1beta/models/g:generateContent',
    ],
    [
      'gemini',
      '/v1beta/models/g:generateContent?alt=sse&key=$',
      {},
      key,
      'x-goog-api-key',
      '/v1beta/models/g:generateContent?alt=sse',
    ],
  ] as const)('of %s at %s goes to its provider', async (id, path, headers, value, name, url) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([header, text]) => [header, text.replace('$', proxy.token)]),
    );
    await post(`${proxy.addresses[id]}${path.replace('$', proxy.token)}`, { model: 'm' }, own);
    expect([seen[0]?.url, seen[0]?.headers[name]]).toEqual([url, value]);
    expect(JSON.stringify(seen)).not.toContain(proxy.token);
  });

  it('keeps no header of the agent that could have the token', async () => {
    const bearer = { authorization: `Bearer ${proxy.token}` };
    await post(messages(), ask, { 'x-api-key': proxy.token, 'x-goog-api-key': proxy.token, ...bearer });
    await post(`${proxy.addresses.openai}/responses`, { model: 'm' }, { 'x-api-key': proxy.token, ...bearer });
    expect(seen).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toContain(proxy.token);
  });

  it('is refused in the format of the provider when a budget is used up, and is not sent to the provider', async () => {
    decide = () => ({ ...allow, allowed: false, reason: 'The budget is used up.', budget_id: 'bud_1' });
    const response = await post(messages(), ask);
    const error = { type: 'invalid_request_error', message: 'The budget is used up.' };
    expect([response.status, await response.json()]).toEqual([400, { type: 'error', error }]);
    expect([seen, budgets]).toEqual([[], ['The budget is used up.']]);
    const chat = await post(`${proxy.addresses.openai}/chat/completions`, { model: 'm' });
    expect(proxy.takeUse()).toBe(false);
    expect(await chat.json()).toMatchObject({ error: { message: 'The budget is used up.', code: 'budget_exhausted' } });
  });

  it('waits while other calls may use up what is left', async () => {
    let asked = 0;
    decide = () => ((asked += 1) < 3 ? { ...allow, allowed: false, budget_id: 'bud_1', wait_ms: 1 } : allow);
    expect((await post(messages(), ask)).status).toBe(200);
    const ids = calls.filter(({ verb }) => verb === 'model-calls').map(({ body }) => body['call_id']);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
    expect([proxy.takeUse(), proxy.takeUse(), budgets]).toEqual([true, false, [undefined]]);
  });

  it('that the provider refuses is passed on as it is, and has used nothing', async () => {
    handle = (_request, response) => {
      response.writeHead(529, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"type":"error"}');
    };
    const response = await post(messages(), ask);
    expect([response.status, response.headers.get('retry-after')]).toEqual([529, '7']);
    await response.text();
    await proxy.close();
    expect(calls[1]?.body).toMatchObject({ input_tokens: 0, output_tokens: 0 });
  });

  it('that does not reach the provider has used nothing', async () => {
    await new Promise((done) => provider.close(done));
    const response = await post(messages(), ask);
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain(key);
    await proxy.close();
    expect(calls[1]?.body).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    provider.listen(0);
  });

  it('that breaks off once it was sent counts as estimated', async () => {
    handle = (request) => request.socket.destroy();
    expect((await post(messages(), ask)).status).toBe(502);
    await proxy.close();
    expect(calls.map(({ verb }) => verb)).toEqual(['model-calls']);
  });

  it('that is allowed when it is not wanted any more is not sent, and has used nothing', async () => {
    let closing: Promise<void> | undefined;
    decide = () => {
      closing = proxy.close();
      return allow;
    };
    await post(messages(), ask).catch(() => undefined);
    await closing;
    expect(seen).toEqual([]);
    expect(calls[1]).toMatchObject({ verb: 'model-calls/usage', body: { input_tokens: 0, output_tokens: 0 } });
  });

  it('counts what its stream has said, though its agent hangs up before the stream has ended', async () => {
    const frames = [
      { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: 2 } },
    ];
    const gone = new Promise<void>((done) => {
      handle = (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const frame of frames) response.write(`data: ${JSON.stringify(frame)}\n\n`);
        request.socket.once('close', () => done());
      };
    });
    const hangUp = new AbortController();
    const response = await fetch(messages(), { ...postOf(ask), signal: hangUp.signal });
    const reader = response.body?.getReader();
    for (let text = ''; !text.includes('message_delta');)
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
    hangUp.abort();
    await gone;
    await proxy.close();
    expect(calls[1]).toMatchObject({ verb: 'model-calls/usage', body: usage });
  });

  it('is passed on as it streams, and broken off at the provider when the agent hangs up', async () => {
    const gone = new Promise<void>((done) => {
      handle = (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"type":"ping"}\n\n');
        request.socket.once('close', () => done());
      };
    });
    const hangUp = new AbortController();
    const response = await fetch(messages(), { ...postOf(ask), signal: hangUp.signal });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('ping');
    hangUp.abort();
    await gone;
    await proxy.close();
    // What it used is not known: it stays as it was estimated.
    expect(calls.map(({ verb }) => verb)).toEqual(['model-calls']);
  });
});

describe('the proxy', () => {
  it('opens with the token of the task alone', async () => {
    for (const headers of [{}, { 'x-api-key': key }, { 'x-api-key': `${proxy.token}x` }, { authorization: 'Bearer ' }])
      expect((await post(messages(), ask, headers as never)).status).toBe(401);
    expect([seen, calls]).toEqual([[], []]);
  });

  it('passes on what costs nothing without asking, and nothing that it does not know', async () => {
    expect((await post(`${messages()}/count_tokens`, ask)).status).toBe(200);
    expect(calls).toEqual([]);
    for (const path of ['/v1/messages/batches', '/v1/files', '/v1/organizations/api_keys'])
      expect((await post(`${proxy.addresses.anthropic}${path}`, ask)).status).toBe(404);
    expect(seen).toHaveLength(1);
  });

  it('refuses a body of more than 64 MiB with a text, and an agent’s 65th request at a time', async () => {
    const large = await fetch(messages(), { ...postOf({}), body: Buffer.alloc(65 * 1_024 * 1_024, ' ') });
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('larger than 64 MiB.')]);
    const held: (() => void)[] = [];
    handle = (request, response, body) => void held.push(() => said(request, response, body));
    const open = Array.from({ length: 64 }, () => post(messages(), ask));
    await eventually(() => held.length === 64);
    expect((await post(messages(), ask)).status).toBe(429);
    for (const release of held) release();
    for (const response of await Promise.all(open)) expect(response.status).toBe(200);
  });

  it.each(['', '[]', '"text"', '{"model":'])('refuses the body %j', async (body) => {
    const response = await fetch(messages(), { method: 'POST', body, headers: { 'x-api-key': proxy.token } });
    expect(response.status).toBe(400);
    expect([seen, calls]).toEqual([[], []]);
  });
});

describe('keys in the environment', () => {
  it('are those of providers, with their addresses', () => {
    expect(upstreamsIn({ PATH: '/bin', OPENAI_BASE_URL: 'http://x' })).toEqual([]);
    const [one] = upstreamsIn({ ANTHROPIC_AUTH_TOKEN: 't' });
    expect([one?.baseUrl.href, one?.headers]).toEqual(['https://api.anthropic.com/', { authorization: 'Bearer t' }]);
    expect(() => upstreamsIn({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'ftp://x' })).toThrow('OPENAI_BASE_URL must be');
  });
});
