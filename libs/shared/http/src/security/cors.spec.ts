import { describe, expect, it } from '@jest/globals';
import { serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';

const routes = [
  defineRoute({
    method: 'GET',
    path: '/v1/notes',
    summary: 'List notes',
    tags: ['Notes'],
    access: { scope: 'tasks:read' },
    responses: { 204: { description: 'None' } },
    errors: [],
    handler: async () => ({ status: 204 }),
  }),
];
const listed = 'https://app.example.com';
const open = serveRoutes(routes, { corsOrigins: [listed, 'http://localhost:8080'] });
const closed = serveRoutes(routes);
const key = { 'x-api-key': 'good' };
const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('cross-origin calls', () => {
  it('of a listed origin may read the response and its headers, without cookies', async () => {
    const { status, headers } = await open.callAs({ ...key, origin: listed }, 'GET', '/v1/notes');
    expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([204, listed, 'Origin']);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')?.split(',')).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Remaining', 'Retry-After', 'ETag', 'Idempotent-Replayed']),
    );
    const refused = await open.callAs({ origin: listed }, 'GET', '/v1/notes');
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, listed]);
  });

  it('of a listed origin get a response to their preflight, whatever the path', async () => {
    for (const path of ['/v1/notes', '/v1/unknown']) {
      const { status, text, headers } = await open.callAs({ ...preflight, origin: listed }, 'OPTIONS', path);
      expect([status, text, headers.get('access-control-max-age')]).toEqual([204, '', '600']);
      expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PATCH,PUT,DELETE');
      expect(headers.get('access-control-allow-headers')?.split(',')).toEqual(
        expect.arrayContaining(['X-API-Key', 'Authorization', 'Idempotency-Key', 'If-Match', 'X-CSRF-Token']),
      );
      expect(headers.get('x-request-id')).toMatch(/^req_/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each(['https://evil.example', 'null', 'https://app.example.com.evil.example', 'http://app.example.com'])(
    'of %s get the plain response, and 405 to their preflight',
    async (origin) => {
      const response = await open.callAs({ ...key, origin }, 'GET', '/v1/notes');
      expect([response.status, corsHeaders(response.headers), response.headers.get('vary')]).toEqual([
        204,
        [],
        'Origin',
      ]);
      const refused = await open.callAs({ ...preflight, origin }, 'OPTIONS', '/v1/notes');
      expect([refused.status, refused.headers.get('allow'), corsHeaders(refused.headers)]).toEqual([
        405,
        'GET, HEAD',
        [],
      ]);
      expect(refused.body.error.code).toBe('invalid_request');
    },
  );

  it('have no effect if no origin is listed', async () => {
    const response = await closed.callAs({ ...key, origin: listed }, 'GET', '/v1/notes');
    expect([response.status, corsHeaders(response.headers), response.headers.get('vary')]).toEqual([204, [], null]);
    expect((await closed.callAs({ ...preflight, origin: listed }, 'OPTIONS', '/v1/notes')).status).toBe(405);
  });
});
