import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardWebhooks, type Listening, mountRoutes, serve } from './index.ts';

const silent = { error() {}, warn() {}, info() {}, debug() {} };
type Seen = { url: string | undefined; headers: IncomingHttpHeaders; body: Buffer };
const seen: Seen[] = [];
let receiver: Server;
let gateway: Listening;
let address = '';

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'kept' }).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const mounts = [forwardWebhooks({ target, logger: silent })];
  const never = () => {
    throw new Error('not asked');
  };
  const app = mountRoutes([], { authenticate: never, makeContext: never, logger: silent, mounts });
  gateway = await serve(app, { host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${gateway.port}`;
});
afterAll(async () => {
  await gateway.close(100);
  receiver.closeAllConnections();
  receiver.close();
});

describe('the pass-through of /webhook/*', () => {
  it('hands over body, path, query and headers byte for byte', async () => {
    const body = Buffer.from('{ "a":1 ,\t"\u00e4":"\\u0000"}\n\x00\xff', 'latin1');
    const response = await fetch(`${address}/webhook/taskplatform?x=%20y`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-strange', 'x-signature': 'AbC' },
    });
    expect([response.status, await response.text(), response.headers.get('x-own')]).toEqual([
      200,
      '{"ok":true}',
      'kept',
    ]);
    expect(seen[0]?.url).toBe('/webhook/taskplatform?x=%20y');
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-strange',
      'x-signature': 'AbC',
      'content-length': String(body.length),
      'x-forwarded-for': '127.0.0.1',
    });
  });

  it('carries five megabytes', async () => {
    const body = Buffer.alloc(5_242_880, 7);
    const response = await fetch(`${address}/webhook/taskplatform`, { method: 'POST', body });
    expect(response.status).toBe(200);
    expect(seen.at(-1)?.body.equals(body)).toBe(true);
  });

  it('answers 503 in the receivers’ form while the receiver is down', async () => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    const response = await fetch(`${address}/webhook/taskplatform`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toEqual({
      error: { code: 'server_error', message: 'The service is temporarily unavailable.' },
    });
  });
});
