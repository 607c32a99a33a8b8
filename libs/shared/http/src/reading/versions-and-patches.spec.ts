import { AppError, assertVersion } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';

const seen: unknown[] = [];
const params = z.object({ note_id: z.string().max(10) });
const base = { path: '/v1/notes/{note_id}', summary: 'A note', tags: ['Notes'], params, isVersioned: true } as const;
const note = z.object({ id: z.string() });
const version = 7;

const routes = [
  defineRoute({
    ...base,
    method: 'GET',
    access: { scope: 'tasks:read' },
    responses: { 200: { description: 'The note', schema: note } },
    errors: [],
    handler: async (_ctx, { params: { note_id: id } }) => ({ status: 200, body: { id }, version }),
  }),
  defineRoute({
    ...base,
    method: 'PATCH',
    access: { scope: 'tasks:write' },
    body: z.object({
      title: z.string().min(1).max(10).optional(),
      due_date: z.string().max(10).nullable().optional(),
      scores: z.object({ quality: z.int().max(100).nullable().optional() }).optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
    }),
    readOnly: ['id', 'created_at'],
    responses: { 200: { description: 'The note', schema: note } },
    errors: ['not_found', 'conflict'],
    handler: async (_ctx, { params: { note_id: id }, body, ifMatch }) => {
      seen.push(body);
      if (id === 'unknown') throw new AppError('not_found');
      assertVersion(version, ifMatch);
      if (id === 'final') throw new AppError('conflict', { field: 'status', constraint: 'state' });
      return { status: 200, body: { id }, version: version + 1 };
    },
  }),
  defineRoute({
    ...base,
    method: 'DELETE',
    access: { scope: 'tasks:write' },
    responses: { 204: { description: 'Gone' } },
    errors: [],
    handler: async (_ctx, { ifMatch }) => {
      assertVersion(version, ifMatch);
      return { status: 204 };
    },
  }),
];
const { call } = serveRoutes(routes);
const key = { 'x-api-key': 'good' };
const patch = (body: string, headers: Record<string, string> = {}, id = '1') =>
  call('PATCH', `/v1/notes/${id}`, {
    body: Buffer.from(body),
    headers: { ...key, 'content-type': 'application/json', ...headers },
  });

describe('a resource with versions', () => {
  it('shows its version as a strong ETag', async () => {
    expect((await call('GET', '/v1/notes/1', { headers: key })).headers.get('etag')).toBe('"7"');
    expect((await call('HEAD', '/v1/notes/1', { headers: key })).headers.get('etag')).toBe('"7"');
    expect((await patch('{}')).headers.get('etag')).toBe('"8"');
  });

  it.each([
    '"7"',
    '*',
    ' * ',
    '"1", "7"',
    '"x,y" , W/"6","7"',
    // As compressing proxies pass it to clients.
    'W/"7"',
    '"7-gzip"',
    'W/"7--gzip"',
    '"7;br"',
    '"7-zstd"',
  ])('is changed under If-Match: %s', async (ifMatch) => {
    expect((await patch('{}', { 'if-match': ifMatch })).status).toBe(200);
    expect((await call('DELETE', '/v1/notes/1', { headers: { ...key, 'if-match': ifMatch } })).status).toBe(204);
  });

  it.each([
    '"6"',
    'W/"6"',
    '"6-gzip"',
    '"7-"',
    '"7-8"',
    '"7gzip"',
    '7',
    '"07x"',
    '',
    '"',
    `"${'7'.repeat(400)}"`,
    '"x,7"',
  ])('is not changed under If-Match: %s', async (ifMatch) => {
    const { status, body } = await patch('{}', { 'if-match': ifMatch });
    const details = { field: 'If-Match', constraint: 'version' };
    expect([status, body.error.code, body.error.details]).toEqual([412, 'invalid_request', details]);
    expect((await call('DELETE', '/v1/notes/1', { headers: { ...key, 'if-match': ifMatch } })).status).toBe(412);
  });

  it('responds with 400 and 404 before 412, and 412 before 409', async () => {
    const stale = { 'if-match': '"6"' };
    expect((await patch('{"nope":1}', stale)).status).toBe(400);
    expect((await patch('{}', stale, 'unknown')).status).toBe(404);
    expect((await patch('{}', stale, 'final')).status).toBe(412);
    expect((await patch('{}', { 'if-match': '"7"' }, 'final')).status).toBe(409);
  });
});

describe('a merge patch', () => {
  it.each(['application/json', 'application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'is read as %s',
    async (type) => expect((await patch('{"title":"a"}', { 'content-type': type })).status).toBe(200),
  );

  it('of another type is refused', async () => {
    expect((await patch('[]', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('clears nullable fields with null, keeps omitted ones, and passes on nested values', async () => {
    seen.length = 0;
    await patch('{"due_date":null,"scores":{"quality":null},"metadata":{"ticket_id":null,"deep":{"a":null}}}');
    expect(seen).toEqual([
      { due_date: null, scores: { quality: null }, metadata: { ticket_id: null, deep: { a: null } } },
    ]);
  });

  it.each(['title', 'scores', 'metadata'])('refuses null in %s, which cannot be cleared', async (field) => {
    const { status, body } = await patch(`{"${field}":null}`);
    expect([status, body.error.code, body.error.details.field]).toEqual([400, 'invalid_input', field]);
  });

  it('may name nothing, or only what is read-only', async () => {
    seen.length = 0;
    for (const body of ['{}', '', '{"id":"other","created_at":null}']) expect((await patch(body)).status).toBe(200);
    expect(seen).toEqual([{}, {}, {}]);
  });

  it.each(['[]', 'null', '"text"', '5'])('is an object, not %s', async (body) => {
    expect((await patch(body)).body.error.details).toEqual({ field: 'body', constraint: expect.any(String) });
  });

  it('refuses a field that is not known', async () => {
    const { status, body } = await patch('{"metadata":{"a":1},"nope":null}');
    expect([status, body.error.details]).toEqual([400, { field: 'nope', constraint: 'unknown_field' }]);
  });
});
