import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { serveRoutes, silent } from './served-routes.fixture.ts';
import { defineRoute, type Mount } from './index.ts';

const routes = [
  defineRoute({
    method: 'GET',
    path: '/files/{name}',
    summary: 'Read what the mount passes on',
    tags: ['Files'],
    access: 'public',
    params: z.object({ name: z.string() }),
    responses: { 204: { description: 'None' } },
    errors: [],
    handler: async () => ({ status: 204 }),
  }),
];
const mounts: Mount[] = [
  { path: '/foreign/broken', handler: () => Promise.reject(new Error('boom')) },
  {
    path: '/foreign',
    routeOf: (called) => (/^\/foreign\/item\/\d+$/.test(called) ? '/foreign/item/{id}' : undefined),
    handler: async (request, response) => {
      const bytes = Buffer.concat(await request.toArray().catch(() => []));
      if (!response.destroyed) response.writeHead(201).end(bytes);
    },
  },
  { path: '/files', handler: (_request, _response, next) => next() },
];
const seen: object[] = [];
const lines: object[] = [];
const { call, sendRaw } = serveRoutes(routes, {
  mounts,
  intakeLimits: { stallMs: 2_500 },
  onResponse: ({ method, route, status }) => void seen.push({ method, route, status }),
  logger: { ...silent, info: (fields, message) => void lines.push({ ...(fields as object), message }) },
});
/** The end of a response is logged a moment after its client has read it. */
async function logged(count: number) {
  while (lines.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  return lines;
}
beforeEach(() => {
  seen.length = 0;
  lines.length = 0;
});

describe('a mount', () => {
  it('has its responses in metrics and log by its path, without the rest of the path', async () => {
    await call('POST', '/foreign/token?code=hidden', {
      body: 'secret=hidden',
      headers: { 'x-request-id': 'abcdefgh' },
    });
    await logged(1);
    expect(seen).toEqual([{ method: 'POST', route: '/foreign', status: 201 }]);
    expect(lines).toEqual([
      expect.objectContaining({
        request_id: 'abcdefgh',
        remote_address: '127.0.0.1',
        message: 'request completed',
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/hidden|token/);
  });

  it('uses a pattern if it knows one', async () => {
    await call('GET', '/foreign/item/7?code=hidden');
    await logged(1);
    await call('GET', '/foreign/item/7/hidden');
    await logged(2);
    expect(seen).toMatchObject([{ route: '/foreign/item/{id}' }, { route: '/foreign' }]);
    expect(JSON.stringify(lines)).not.toContain('hidden');
  });

  it('includes its failures', async () => {
    await call('GET', '/foreign/broken');
    await logged(1);
    expect(seen).toEqual([{ method: 'GET', route: '/foreign/broken', status: 500 }]);
  });

  it('does not count what it passes on', async () => {
    await call('GET', '/files/a');
    await logged(1);
    await call('GET', '/files/a/b');
    await logged(2);
    expect(seen).toEqual([
      { method: 'GET', route: '/files/{name}', status: 204 },
      { method: 'GET', route: 'unmatched', status: 404 },
    ]);
  });

  it.each([
    ['declared', 'Content-Length: 10\r\n\r\ncode'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\ncod\r\n'],
  ])('has a body that stalls cut: %s', async (_name, rest) => {
    expect(await sendRaw(`POST /foreign HTTP/1.1\r\nHost: x\r\n${rest}`)).toBe('');
    expect(await logged(1)).toEqual([expect.objectContaining({ message: 'request aborted' })]);
  });

  it('gets a slow body, and time to respond', async () => {
    async function* slowly() {
      for (const part of ['a', 'b', 'c', 'd', 'e']) {
        yield Buffer.from(part);
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
    }
    const body = ReadableStream.from(slowly()) as unknown as RequestInit['body'];
    const init = { body, duplex: 'half' } as RequestInit;
    const { status, text } = await call('POST', '/foreign', init);
    expect([status, text]).toEqual([201, 'abcde']);
  });
});
