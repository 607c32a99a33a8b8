import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Listening, mountRoutes, serve, webhookRoutes } from '../index.ts';

type Seen = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: Buffer };
const seen: Seen[] = [];
const accepts = { status: 200, text: '{"ok":true}', headers: {} as Record<string, string> };
let result = accepts;
/** Connections that have carried a request. */
const used = new WeakSet<Socket>();
let endsUsedConnections = false;
let receiver: Server;
let gateway: Listening;
let address = '';
const silent = { error() {}, warn() {}, info() {}, debug() {} };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    if (endsUsedConnections && used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks) });
      response.writeHead(result.status, result.headers).end(result.text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const never = () => {
    throw new Error('not asked');
  };
  const routes = webhookRoutes({ target, secret: 'of the installation' });
  const app = mountRoutes(routes, { authenticate: never, makeContext: never, logger: silent, checksResponses: true });
  gateway = await serve(app, { host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${gateway.port}`;
});
afterAll(async () => {
  await gateway.close(100);
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  seen.length = 0;
  result = accepts;
  endsUsedConnections = false;
});

const post = async (init: RequestInit = {}, path = '/webhook/taskplatform') => {
  const response = await fetch(address + path, { method: 'POST', body: '{}', ...init });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
};

describe('the pass-through of /webhook/*', () => {
  it('passes body, path and headers byte for byte, and proves itself', async () => {
    const body = Buffer.from('{ "a":1 ,\t"\u00e4":"\\u0000"}\n\x00\xff', 'latin1');
    const headers = { 'content-type': 'application/x-strange', 'x-signature': 'AbC', 'x-forwarded-for': '203.0.113.9' };
    const sent = await post({ body, headers }, '/webhook/taskplatform/int_1?x=%20y');
    expect(sent).toMatchObject({ status: 200, body: { ok: true } });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/webhook/taskplatform/int_1' });
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect(seen[0]?.headers).toMatchObject({
      ...headers,
      host: address.slice('http://'.length),
      'content-length': String(body.length),
      'x-gateway-proof': 'of the installation',
      'x-gateway-caller': '127.0.0.1',
      'x-request-id': sent.headers.get('x-request-id'),
    });
  });

  it('resends on a new connection a request that was sent on one that the receiver was closing', async () => {
    expect((await post()).status).toBe(200);
    endsUsedConnections = true;
    expect((await post()).status).toBe(200);
    expect(seen).toHaveLength(2);
  });

  it('passes five megabytes, and responds with 413 to more', async () => {
    const body = Buffer.alloc(5_242_880, 7);
    expect((await post({ body })).status).toBe(200);
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect((await post({ body: Buffer.alloc(5_242_881) })).status).toBe(413);
    expect(seen).toHaveLength(1);
  });

  it('returns the challenge by which a chat checks its address, and nothing else of the response', async () => {
    result = { ...accepts, text: '{"ok":true,"challenge":"c1","more":1}' };
    expect(await post()).toMatchObject({ status: 200, body: { ok: true, challenge: 'c1' } });
    expect((await post()).body).not.toHaveProperty('more');
  });

  it('lets no other server respond as the gateway', async () => {
    await post({ headers: { 'x-gateway-proof': 'a guess', 'X-Gateway-Caller': '::1' } });
    expect(seen[0]?.headers).toMatchObject({
      'x-gateway-proof': 'of the installation',
      'x-gateway-caller': '127.0.0.1',
    });
  });

  it.each([
    [400, { code: 'invalid_request', message: 'event: Required' }, {}],
    [403, { code: 'forbidden', message: 'The signature is not valid for this body and secret.' }, {}],
    [429, { code: 'rate_limited', message: 'Too many.' }, { 'retry-after': '1' }],
  ])('passes on what the receiver returns: %d', async (status, error, headers) => {
    result = { status, text: JSON.stringify({ error }), headers };
    const sent = await post();
    expect([sent.status, sent.body]).toEqual([status, { error }]);
    expect(sent.headers.get('retry-after')).toBe('retry-after' in headers ? '1' : null);
  });

  it.each([
    [502, '<html>'],
    [200, 'welcome'],
    [302, ''],
    [200, 'x'.repeat(100_000)],
  ])('responds with 503 to what is no response of the receiver: %d', async (status, text) => {
    result = { status, text, headers: {} };
    expect((await post()).status).toBe(503);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('passes no %s on', async (method) => {
    const sent = await fetch(`${address}/webhook/taskplatform`, { method });
    expect([sent.status, sent.headers.get('allow'), seen]).toEqual([405, 'POST', []]);
  });

  it('responds with 503 in the receivers’ form while the receiver is down', async () => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    const sent = await post();
    expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '1']);
    expect(sent.body).toEqual({
      error: { code: 'server_error', message: 'The service is temporarily unavailable. Try again later.' },
    });
  });
});
