import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createAccessLog, defineRoute } from '../index.ts';
import { serveRoutes } from '../served-routes.fixture.ts';
import type { AccessLogOptions, EndedResponse } from './access-log.ts';

type Line = Record<string, unknown> & { message: string };

const ended: EndedResponse = {
  method: 'GET',
  route: '/v1/things/{id}',
  status: 200,
  durationMs: 12.345,
  bytes: 321,
  requestId: 'abcdefgh',
  remoteAddress: '192.0.2.1',
  isSent: true,
  canWait: false,
};

/** The lines for responses; the random numbers of the sample are given in order. */
function linesOf(options: Omit<AccessLogOptions, 'logger' | 'random'>, responses: Partial<EndedResponse>[]): Line[] {
  const lines: Line[] = [];
  let next = 0;
  const log = createAccessLog({
    ...options,
    logger: { info: (fields, message) => void lines.push({ ...fields, message }) },
    random: () => (next++ % 10) / 10,
  });
  for (const response of responses) log({ ...ended, ...response });
  return lines;
}

const slow = { durationMs: 1_000 };
const failures: Partial<EndedResponse>[] = [{ status: 500 }, { status: 503, canWait: true }, slow, { isSent: false }];
const usual: Partial<EndedResponse>[] = [
  {},
  { status: 404 },
  { ...slow, canWait: true },
  { isSent: false, canWait: true },
];

describe('the access log', () => {
  it('has a line for each response, and none when it is off', () => {
    expect(linesOf({ lines: 'all', sample: 1 }, [...failures, ...usual])).toHaveLength(8);
    expect(linesOf({ lines: 'off', sample: 1 }, [...failures, ...usual])).toEqual([]);
  });

  it('can be limited to failed, slow and unfinished responses, but not to those that wait on purpose', () => {
    expect(linesOf({ lines: 'errors', sample: 1 }, [...failures, ...usual])).toHaveLength(failures.length);
    expect(linesOf({ lines: 'errors', sample: 1 }, usual)).toEqual([]);
  });

  it('has a share of the good responses, with the share, and all others', () => {
    const many = Array.from({ length: 50 }, () => usual).flat();
    const sampled = linesOf({ lines: 'all', sample: 0.3 }, many);
    expect(sampled).toHaveLength(60);
    expect(new Set(sampled.map(({ sample }) => sample))).toEqual(new Set([0.3]));
    const failed = linesOf({ lines: 'all', sample: 0 }, [...failures, ...usual]);
    expect(failed.map(({ sample }) => sample)).toEqual(failures.map(() => undefined));
  });

  it('says who called what, with which result, and whether the response was sent', () => {
    const principal = { tenantId: 'tnt_1', credentialId: 'key_1' } as NonNullable<EndedResponse['principal']>;
    expect(linesOf({ lines: 'all', sample: 1 }, [{ principal }, { isSent: false }])).toEqual([
      {
        method: 'GET',
        route: '/v1/things/{id}',
        status: 200,
        ms: 12.3,
        bytes: 321,
        request_id: 'abcdefgh',
        remote_address: '192.0.2.1',
        tenant: 'tnt_1',
        credential: 'key_1',
        message: 'request completed',
      },
      expect.objectContaining({ message: 'request aborted', tenant: undefined }),
    ]);
  });
});

const open = { method: 'GET', tags: ['Things'], access: 'public', errors: [] } as const;
const routes = [
  defineRoute({
    ...open,
    path: '/v1/things/{id}',
    summary: 'Read a thing',
    params: z.object({ id: z.string() }),
    query: z.object({ token: z.string().optional() }),
    responses: { 200: { description: 'The thing', schema: z.object({ text: z.string() }) } },
    handler: async () => ({ status: 200, body: { text: 'x'.repeat(5_000) } }),
  }),
  defineRoute({
    ...open,
    path: '/probe',
    summary: 'Check',
    isLogged: false,
    responses: { 204: { description: 'Well' } },
    handler: async () => ({ status: 204 }),
  }),
];

describe('the access log of a server', () => {
  const seen: EndedResponse[] = [];
  const counted: string[] = [];
  const { call, sendRaw } = serveRoutes(routes, {
    accessLog: (one) => void seen.push(one),
    onResponse: ({ route }) => void counted.push(route),
  });
  async function logged(count: number): Promise<EndedResponse[]> {
    while (seen.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return seen;
  }
  beforeEach(() => {
    seen.length = 0;
    counted.length = 0;
  });

  it('has no probe, which metrics count', async () => {
    await call('GET', '/probe');
    await call('GET', '/v1/things/1');
    expect((await logged(1)).map(({ route }) => route)).toEqual(['/v1/things/{id}']);
    expect(counted).toEqual(['/probe', '/v1/things/{id}']);
  });

  it('has the pattern of the route: no id, no query, no header', async () => {
    await call('GET', '/v1/things/hidden?token=hidden', { headers: { 'x-api-key': 'hidden', cookie: 'a=hidden' } });
    await call('GET', '/hidden?token=hidden');
    expect((await logged(2)).map(({ route, status }) => [route, status])).toEqual([
      ['/v1/things/{id}', 200],
      ['unmatched', 404],
    ]);
    expect(JSON.stringify(seen)).not.toContain('hidden');
  });

  it('counts the bytes that each response sent, also on a connection that is used again', async () => {
    const received = await sendRaw('GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    for (const count of [2, 3, 4]) {
      await call('GET', '/v1/things/1');
      await logged(count);
    }
    const [first = 0, ...others] = seen.map(({ bytes }) => bytes);
    expect(first).toBe(received.length);
    expect(others.every((bytes) => Math.abs(bytes - first) < 100)).toBe(true);
  });
});
