import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute, serveFolder } from '../index.ts';

const routes = [
  defineRoute({
    method: 'GET',
    path: '/v1/notes',
    summary: 'List notes',
    tags: ['Notes'],
    access: { scope: 'tasks:read' },
    query: z.object({ limit: z.string().max(3).optional() }),
    deprecation: {
      since: new Date('2027-01-01T00:00:00Z'),
      sunset: new Date('2028-01-01T00:00:00Z'),
      link: 'https://example.com/v2',
    },
    responses: { 204: { description: 'None' } },
    errors: [],
    handler: async (_ctx, { query }) => {
      if (query.limit === '0') throw new Error('boom');
      if (query.limit === '1') return { status: 204, headers: { 'X-Note': 'a\r\nSet-Cookie: x=1' } };
      return { status: 204 };
    },
  }),
];
const folder = await mkdtemp(join(tmpdir(), 'served-'));
beforeAll(async () => {
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'app.js'), 'alert(1)');
  await writeFile(join(folder, '.secret'), 'no');
  await writeFile(join(folder, 'sub', 'index.html'), '<p>');
});
afterAll(() => rm(folder, { recursive: true }));

const { call, sendRaw } = serveRoutes(routes, {
  mounts: [
    { path: '/mount/broken', handler: () => Promise.reject(new Error('secret text')) },
    { path: '/mount', handler: (_request, response) => void response.end('mounted') },
    serveFolder({ path: '/assets', folder, contentSecurityPolicy: "default-src 'self'" }),
  ],
});
const key = { 'x-api-key': 'good' };
const get = (path: string, headers: Record<string, string> = key) => call('GET', path, { headers });

describe('security headers', () => {
  it.each([
    [204, '/v1/notes'],
    [400, '/v1/notes?nope=1'],
    [404, '/v1/unknown'],
    [404, '/webhook/unknown'],
    [500, '/v1/notes?limit=0'],
    [500, '/v1/notes?limit=1'],
    [200, '/mount'],
    [500, '/mount/broken'],
    [200, '/assets/app.js'],
    [404, '/assets/none.js'],
  ])('stand on a %i: %s', async (expected, path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(expected);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('content-security-policy')).toContain('default-src');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect([headers.get('x-powered-by'), headers.get('server'), headers.get('set-cookie')]).toEqual([null, null, null]);
    expect(text).not.toContain('secret');
  });

  it('keep the request’s id on a mount, and make one of a form of its own otherwise', async () => {
    expect((await get('/mount', { 'x-request-id': 'abc.DEF-12' })).headers.get('x-request-id')).toBe('abc.DEF-12');
    expect((await get('/mount', { 'x-request-id': '<script>' })).headers.get('x-request-id')).toMatch(/^req_/);
  });

  it("are not split by a client's request id", async () => {
    const raw = await sendRaw(
      'GET /v1/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: abcdefgh%0d%0aSet-Cookie:x=1\r\n\r\n',
    );
    expect(raw).toMatch(/x-request-id: req_/);
    expect(raw).not.toMatch(/set-cookie/i);
  });
});

describe('a served folder', () => {
  it('serves GET and HEAD with its own policy and refuses other methods', async () => {
    const { headers, text } = await get('/assets/app.js');
    expect([text, headers.get('content-type')]).toEqual(['alert(1)', 'text/javascript; charset=utf-8']);
    expect(headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await call('HEAD', '/assets/app.js')).status).toBe(200);
    expect((await call('POST', '/assets/app.js')).status).toBe(404);
  });

  it.each(['', '/', '/sub', '/sub/', '/.secret', '/..%2f..%2fetc/passwd', '/%2e%2e/package.json', '/%zz', '/%00'])(
    'shows nothing at %s',
    async (path) => {
      const { status, body } = await get(`/assets${path}`);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );
});

describe('a deprecated route', () => {
  it.each([204, 400, 401])('is marked on a %i', async (expected) => {
    const [path, headers] = [expected === 400 ? '/v1/notes?nope=1' : '/v1/notes', expected === 401 ? {} : key];
    const result = await get(path, headers);
    expect(result.status).toBe(expected);
    expect(result.headers.get('deprecation')).toBe('@1798761600');
    expect(result.headers.get('sunset')).toBe('Sat, 01 Jan 2028 00:00:00 GMT');
    expect(result.headers.get('link')).toBe('<https://example.com/v2>; rel="deprecation"');
  });

  it('is not marked on other paths', async () => {
    expect((await get('/v1/unknown')).headers.get('deprecation')).toBeNull();
  });
});
