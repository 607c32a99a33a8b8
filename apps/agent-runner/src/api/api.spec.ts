import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createApi } from './api.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A service that gives the replies one after another, and the last one for ever. */
async function serve(...replies: Reply[]) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(seen.length, replies.length - 1)] as Reply;
    seen.push(request);
    reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close().closeAllConnections());
  const lines: string[] = [];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, lines, api: createApi({ baseUrl, apiKey: 'secret', log: (line) => lines.push(line) }) };
}

const result =
  (status: number, body?: object, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(status, headers).end(body && JSON.stringify(body));
const cut: Reply = (request) => request.destroy();
const never = new AbortController().signal;

describe('a call', () => {
  it('is retried while the service breaks, is overloaded or cuts the connection', async () => {
    const { api, seen, lines } = await serve(
      result(503),
      cut,
      result(429, {}, { 'retry-after': '0' }),
      result(200, { a: 1 }),
    );
    const { status, body } = await api({ method: 'POST', path: '/v1/x', body: { b: 2 }, maxDelayMs: 5 }, never);
    expect([status, body, seen.length]).toEqual([200, { a: 1 }, 4]);
    expect(seen[3]?.headers).toMatchObject({ 'x-api-key': 'secret', 'content-type': 'application/json' });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('secret');
    for (const line of lines) expect(line).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/v1\/x: /);
  });

  it('returns a refusal with its error, without a retry', async () => {
    const error = { code: 'conflict', message: 'lost', details: {}, request_id: 'req_1', directives: [] };
    const { api, seen } = await serve(result(409, { error }));
    const given = await api({ method: 'GET', path: '/v1/x' }, never);
    expect([given.status, given.error, seen.length]).toEqual([409, error, 1]);
  });

  it('returns when the service responded, by the service’s own clock', async () => {
    const { api } = await serve(result(200, {}, { date: 'Sat, 21 Nov 2026 16:00:00 GMT' }));
    expect((await api({ method: 'GET', path: '/v1/x' }, never)).dateMs).toBe(Date.parse('2026-11-21T16:00:00Z'));
  });

  it('ends when it is cancelled, while it waits and between tries', async () => {
    const { api } = await serve(() => {});
    const gone = AbortSignal.timeout(30);
    await expect(api({ method: 'GET', path: '/v1/x' }, gone)).rejects.toThrow();
    const { api: broken, seen, lines } = await serve(result(503, {}, { 'retry-after': '600' }));
    const caller = new AbortController();
    const call = broken({ method: 'GET', path: '/v1/x' }, caller.signal);
    while (lines.length === 0) await sleep(5);
    caller.abort();
    await expect(call).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});
