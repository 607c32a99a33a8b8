import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import { leaving, openBudget } from './served-routes.fixture.ts';
import type { UseCaseContext } from '@eas/db';
import fc from 'fast-check';
import { connect } from 'node:net';
import { z } from 'zod';
import { defineRoute, type Listening, mountRoutes, serve } from './index.ts';

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const principal: Principal = {
  tenantId: 'tnt_1',
  kind: 'key',
  credentialId: 'key_1',
  actor: { id: 'key_1' },
  scopes: ['tasks:write', 'tasks:read'],
  rateLimit: 100,
};

const noteBody = z.object({
  title: z.string().min(1).max(10),
  description: z.string().max(20).optional(),
  tags: z.array(z.string().max(5)).max(2).default([]),
  scores: z.strictObject({ quality: z.int().min(0).max(100).optional() }).optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
});
const note = z.object({ id: z.string(), ...noteBody.shape });

const routes = [
  defineRoute({
    method: 'POST',
    path: '/v1/notes',
    summary: 'Create a note',
    tags: ['Notes'],
    access: { scope: 'tasks:write' },
    body: noteBody,
    readOnly: ['id'],
    responses: { 201: { description: 'The note', schema: note } },
    errors: ['invalid_input'],
    handler: async (_ctx, { body }) => ({
      status: 201,
      body: { id: 'n1', ...body },
      headers: { Location: '/v1/notes/n1' },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/notes/{note_id}',
    summary: 'Read a note',
    tags: ['Notes'],
    access: { scope: 'tasks:read' },
    params: z.object({ note_id: z.string().max(64) }),
    query: z.object({ view: z.enum(['full', 'short']).optional(), tag: z.array(z.string().max(5)).optional() }),
    responses: { 200: { description: 'What was asked', schema: z.record(z.string(), z.unknown()) } },
    errors: ['not_found'],
    handler: async (_ctx, { params, query }) => {
      if (params.note_id === 'broken') throw new Error('secret text');
      if (params.note_id === 'unknown') throw new AppError('not_found');
      return { status: 200, body: { ...params, ...query } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/notes/{note_id}',
    summary: 'Delete a note',
    tags: ['Notes'],
    access: { scope: 'admin' },
    params: z.object({ note_id: z.string().max(64) }),
    responses: { 204: { description: 'Gone' } },
    errors: ['not_found'],
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhook/echo',
    summary: 'Receive',
    tags: ['Receivers'],
    access: { signature: true },
    responses: { 200: { description: 'Length', schema: z.object({ ok: z.boolean(), bytes: z.int() }) } },
    errors: ['forbidden'],
    handler: async (_ctx, { rawBody, headers }) => {
      if (headers['x-signature'] === 'bad') throw new AppError('forbidden', { message: 'no signature fits' });
      return { status: 200, body: { ok: true, bytes: rawBody.length } };
    },
  }),
];

let listening: Listening;
let base = '';
let left = 1_000_000;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  const app = mountRoutes(routes, {
    authenticate: (headers) => {
      if (headers['x-api-key'] === 'good') return principal;
      throw new AppError('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
    },
    makeContext: ({ tenantId, actor, signal, logger }) => ({ tenantId, actor, signal, logger }) as UseCaseContext,
    budget: { ...openBudget, take: leaving(() => (left -= 1)) },
    logger: { ...silent, info: (fields) => void logged.push(fields) },
    checksResponses: true,
    baseUrl: 'https://api.example.com/eas',
    intakeLimits: { stallMs: 300 },
  });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${listening.port}`;
});
afterAll(() => listening.close(100));

async function call(
  method: string,
  path: string,
  body?: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
) {
  const response = await fetch(base + path, {
    method,
    ...(body === undefined ? {} : { body, duplex: 'half' }),
    headers: { 'x-api-key': 'good', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
const post = (body: unknown, headers?: Record<string, string>) =>
  call('POST', '/v1/notes', typeof body === 'string' ? body : JSON.stringify(body), headers);

describe('the base address', () => {
  it('is prepended to a Location that is a path', async () => {
    const { status, headers } = await post({ title: 'a' });
    expect([status, headers.get('location')]).toEqual([201, 'https://api.example.com/eas/v1/notes/n1']);
  });
});

describe('the order of checks', () => {
  it('responds with 404 for an unknown path before authentication', async () => {
    const { status, body } = await call('GET', '/v1/nothing', undefined, { 'x-api-key': '' });
    expect([status, body.error.code, body.error.details]).toEqual([404, 'not_found', {}]);
  });

  it('names /v1 in the response to /v2', async () => {
    const { status, body } = await call('GET', '/v2/notes');
    expect(status).toBe(404);
    expect(body.error.message).toContain('/v1');
  });

  it('responds with 405 with Allow before authentication', async () => {
    const { status, headers, body } = await call('PUT', '/v1/notes/1', '{}', { 'x-api-key': '' });
    expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'DELETE, GET, HEAD', 'invalid_request']);
  });

  it('responds with 401 before it reads the body', async () => {
    const { status, headers, body } = await post('{broken', { 'x-api-key': 'bad' });
    expect([status, body.error.code, headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer']);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('responds with 429 with Retry-After and the state of the window before 403', async () => {
    const before = left;
    left = 0;
    const { status, headers, body } = await call('DELETE', '/v1/notes/1');
    left = before;
    expect([status, body.error.code, headers.get('x-ratelimit-remaining')]).toEqual([429, 'rate_limited', '0']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('responds with 403 naming the scope', async () => {
    const { status, body } = await call('DELETE', '/v1/notes/1');
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect(body.error.message).toContain('admin');
  });

  it('responds with 413 before 415 and 415 before 400', async () => {
    const large = 'x'.repeat(1_048_577);
    expect((await post(large, { 'content-type': 'text/csv' })).status).toBe(413);
    const { status, body } = await post('{broken', { 'content-type': 'text/csv' });
    expect([status, body.error.code]).toEqual([415, 'invalid_request']);
  });

  it('responds with 400 for the query before 404 for the resource', async () => {
    expect((await call('GET', '/v1/notes/unknown?nope=1')).status).toBe(400);
    expect((await call('GET', '/v1/notes/unknown')).status).toBe(404);
  });
});

describe('bodies', () => {
  it('reads JSON without a content type and with any JSON type', async () => {
    const text = new TextEncoder().encode('{"title":"a"}');
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json', 'text/json'])
      expect((await call('POST', '/v1/notes', text, { 'content-type': type })).status).toBe(201);
    const bare = await fetch(`${base}/v1/notes`, { method: 'POST', body: text, headers: { 'x-api-key': 'good' } });
    expect(bare.status).toBe(201);
  });

  it.each([
    ['broken JSON', '{"title":', 'invalid_request', 'body', 'format'],
    ['no object', '[]', 'invalid_input', 'body', 'type'],
    ['nothing at all', '', 'invalid_input', 'title', 'required'],
    ['a missing field', '{}', 'invalid_input', 'title', 'required'],
    ['null in a required field', '{"title":null}', 'invalid_input', 'title', 'required'],
    ['a blank required text', '{"title":""}', 'invalid_input', 'title', 'required'],
    ['another type', '{"title":5}', 'invalid_input', 'title', 'type'],
    ['a long text', '{"title":"12345678901"}', 'invalid_input', 'title', 'max_length'],
    ['an unknown key', '{"title":"a","nope":1}', 'invalid_input', 'nope', 'unknown_field'],
    ['__proto__ as a key', '{"title":"a","__proto__":{"x":1}}', 'invalid_input', '__proto__', 'unknown_field'],
    ['a broken list item', '{"title":"a","tags":["123456"]}', 'invalid_input', 'tags.0', 'max_length'],
    ['a nested number', '{"title":"a","scores":{"quality":101}}', 'invalid_input', 'scores.quality', 'max'],
    ['U+0000', '{"title":"a\\u0000"}', 'invalid_input', 'title', 'format'],
    ['U+0000 in a free key', '{"title":"a","metadata":{"\\u0000":1}}', 'invalid_input', 'metadata.\uFFFD', 'format'],
    ['a lone surrogate', '{"title":"\\ud800"}', 'invalid_input', 'title', 'format'],
    [
      'deep nesting',
      `{"title":"a","metadata":${'['.repeat(40)}${']'.repeat(40)}}`,
      'invalid_input',
      'metadata',
      'max_size',
    ],
    ['very deep nesting', `{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`, 'invalid_input', 'a', 'max_size'],
  ])('refuses %s', async (_name, text, code, field, constraint) => {
    const { status, body, headers } = await post(text);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, details: { field, constraint } });
    expect(body.error.request_id).toBe(headers.get('x-request-id'));
    expect(body.error.errors[0]).toEqual({ field, constraint });
  });

  it('refuses invalid UTF-8', async () => {
    const { status, body } = await call('POST', '/v1/notes', Buffer.from([0x22, 0xff, 0x22]));
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('gives all violations in the order of the schema', async () => {
    const { body } = await post({ zzz: 1, tags: 'no', description: 1 });
    expect(body.error.errors).toEqual([
      { field: 'title', constraint: 'required' },
      { field: 'description', constraint: 'type' },
      { field: 'tags', constraint: 'type' },
      { field: 'zzz', constraint: 'unknown_field' },
    ]);
  });

  it('accepts its own responses: read-only keys are ignored, null in an optional field is absent', async () => {
    const { status, body } = await post({
      id: 'mine',
      title: 'a',
      description: null,
      tags: null,
      scores: { quality: null },
    });
    expect([status, body]).toEqual([201, { id: 'n1', title: 'a', tags: [], scores: {}, metadata: {} }]);
  });

  it.each(['__proto__', '\\u005f_proto__'])('refuses the free-form key %s, which would be lost', async (key) => {
    const { status, body } = await post(`{"title":"a","metadata":{"deep":{"${key}":{"polluted":1}}}}`);
    const details = { field: 'metadata.deep.__proto__', constraint: 'unknown_field' };
    expect([status, body.error.details]).toEqual([400, details]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('keeps other free-form keys that objects have of themselves, and __proto__ as a text', async () => {
    const metadata = { constructor: { x: 1 }, text: '__proto__' };
    const { status, body } = await post({ title: 'a', metadata });
    expect([status, body.metadata]).toEqual([201, metadata]);
  });

  it('refuses an oversize body that does not declare its size', async () => {
    const chunk = new Uint8Array(65_536).fill(32);
    const stream = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 20; sent += 1) controller.enqueue(chunk);
        controller.close();
      },
    });
    const { status, body } = await call('POST', '/v1/notes', stream);
    expect([status, body.error.details.constraint]).toEqual([413, 'max_size']);
  });

  it('cuts a request that stalls', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.write('POST /v1/notes HTTP/1.1\r\nhost: x\r\nx-api-key: good\r\ncontent-length: 10\r\n\r\n{"a');
    await new Promise((resolve) =>
      socket
        .once('close', resolve)
        .on('error', () => {})
        .resume(),
    );
  });

  it('never responds with 5xx to garbage', async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc.record({ title: fc.anything(), tags: fc.anything(), metadata: fc.anything() }).map((value) => {
        try {
          return Buffer.from(JSON.stringify(value));
        } catch {
          return Buffer.from('{');
        }
      }),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        const { status } = await call('POST', '/v1/notes', bytes);
        expect([201, 400]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});

describe('queries and paths', () => {
  it.each([
    ['nope=1', 'nope', 'unknown_field'],
    ['view=full&view=short', 'view', 'type'],
    ['view=other', 'view', 'enum'],
    ['view=%00', 'view', 'format'],
    ['view=%ff', 'view', 'format'],
    ['__proto__=1&nope=2', 'nope', 'unknown_field'],
  ])('refuses ?%s', async (query, field, constraint) => {
    const { status, body } = await call('GET', `/v1/notes/1?${query}`);
    expect([status, body.error.code, body.error.details]).toEqual([400, 'invalid_request', { field, constraint }]);
  });

  it('ignores tracking parameters and collects repeated list parameters', async () => {
    const { body } = await call('GET', '/v1/notes/1?_=5&utm_source=x&tag=a&tag=b&view=full');
    expect(body).toEqual({ note_id: '1', tag: ['a', 'b'], view: 'full' });
  });

  it.each(['%00', '%zz', '%ff', 'x'.repeat(65)])('responds with 404 for the malformed id %s', async (id) => {
    expect((await call('GET', `/v1/notes/${id}`)).status).toBe(404);
  });

  it('serves HEAD as GET without a body', async () => {
    const { status, body } = await call('HEAD', '/v1/notes/1');
    expect([status, body]).toEqual([200, undefined]);
  });
});

describe('responses', () => {
  it('keeps a caller’s X-Request-Id that has the form and makes one otherwise', async () => {
    const own = await call('GET', '/v1/notes/1', undefined, { 'x-request-id': 'abc.DEF-12' });
    expect(own.headers.get('x-request-id')).toBe('abc.DEF-12');
    const made = await call('GET', '/v1/notes/1', undefined, { 'x-request-id': 'short' });
    expect(made.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('reveals nothing about an unexpected error', async () => {
    const { status, body } = await call('GET', '/v1/notes/broken');
    expect([status, body.error.code]).toEqual([500, 'server_error']);
    expect(JSON.stringify(body)).not.toContain('secret text');
  });

  it('carries security headers, the window and no ETag or framework name', async () => {
    const { headers } = await call('GET', '/v1/notes/1');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-ratelimit-limit')).toBe('100');
    expect(headers.get('x-ratelimit-reset')).toBe('2000000000');
    expect([headers.get('etag'), headers.get('x-powered-by')]).toEqual([null, null]);
  });

  it('logs each request once, by pattern and without its key', async () => {
    logged.length = 0;
    await call('GET', '/v1/notes/77');
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ method: 'GET', route: '/v1/notes/{note_id}', status: 200, tenant: 'tnt_1' });
    expect(JSON.stringify(logged)).not.toContain('good');
  });
});

describe('receivers', () => {
  it('passes the raw bytes whatever their type', async () => {
    const { status, body, headers } = await call('POST', '/webhook/echo', Buffer.from([0, 255, 1]), {
      'content-type': 'text/x',
    });
    expect([status, body]).toEqual([200, { ok: true, bytes: 3 }]);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('ignore the query of their address', async () => {
    for (const query of ['?team=1&team=2', '?a=%', '?'])
      expect((await call('POST', `/webhook/echo${query}`, '{}')).status).toBe(200);
  });

  it('reports errors in the short form', async () => {
    const bad = await call('POST', '/webhook/echo', '{}', { 'x-signature': 'bad' });
    expect([bad.status, bad.body]).toEqual([403, { error: { message: 'no signature fits', code: 'forbidden' } }]);
    const unknown = await call('POST', '/webhook/nowhere', '{}');
    expect(unknown.status).toBe(404);
    expect(Object.keys(unknown.body.error).sort()).toEqual(['code', 'message']);
    const large = await call('POST', '/webhook/echo', Buffer.alloc(5_242_881));
    expect([large.status, large.body.error.code]).toEqual([413, 'invalid_request']);
  });
});
