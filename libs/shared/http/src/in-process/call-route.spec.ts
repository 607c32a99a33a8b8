import type { Principal } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { keyHolder } from '../served-routes.fixture.ts';
import { callRoute, defineRoute, type RequestFacts } from '../index.ts';

const id = z.string().max(8);
const common = { summary: 's', tags: ['Notes'], errors: [] } as const;
const shown = { 200: { description: 'What was asked', schema: z.unknown() } } as const;
const read = defineRoute({
  ...common,
  method: 'GET',
  path: '/v1/books/{book_id}/notes/{note_id}',
  access: { scope: 'tasks:read' },
  params: z.object({ book_id: id, note_id: id }),
  query: z.object({ tag: z.array(z.string().max(5)).optional(), page: z.coerce.number().max(9).optional() }),
  responses: shown,
  handler: async (_ctx, { params, query }) => ({ status: 200, body: { params, query } }),
});
const write = defineRoute({
  ...common,
  method: 'POST',
  path: '/v1/notes/{note_id}',
  access: { scope: ['tasks:write', 'admin'] },
  params: z.object({ note_id: id }),
  body: z.object({ text: z.string().max(5), stars: z.int().default(1) }),
  responses: shown,
  handler: async (_ctx, { params, body, principal }) => ({
    status: 200,
    body: { params, body, by: principal.actor.id },
  }),
});
const ctx = {} as UseCaseContext;
const facts = { requestId: 'req_1' } as RequestFacts;
const call = (route: typeof read, args: Record<string, unknown>, principal: Principal = keyHolder) =>
  callRoute(route, ctx, { ...facts, principal }, args);

describe('a route that is called by named arguments', () => {
  it('finds them in its path and its query', async () => {
    const { body } = await call(read, { note_id: 'a/b %', book_id: 'b', tag: ['x', 'y&z'], page: 2 });
    expect(body).toEqual({ params: { book_id: 'b', note_id: 'a/b %' }, query: { tag: ['x', 'y&z'], page: 2 } });
    expect((await call(read, { note_id: 'n', book_id: 'b', tag: null })).body).toMatchObject({ query: {} });
  });

  it('finds them in its path and its body, with defaults', async () => {
    const { body } = await call(write, { note_id: 'n', text: 'hi' });
    expect(body).toEqual({ params: { note_id: 'n' }, body: { text: 'hi', stars: 1 }, by: 'key_1' });
  });

  it.each([
    [read, { book_id: 'b' }, 'invalid_input', 'note_id', 'required'],
    [read, { book_id: 'b', note_id: {} }, 'invalid_input', 'note_id', 'type'],
    [read, { book_id: 'b', note_id: 'n', page: { a: 1 } }, 'invalid_input', 'page', 'type'],
    [read, { book_id: 'b', note_id: 'n', page: 10 }, 'invalid_request', 'page', 'max'],
    [read, { book_id: 'b', note_id: 'n', colour: 'red' }, 'invalid_request', 'colour', 'unknown_field'],
    [write, { note_id: 'n' }, 'invalid_input', 'text', 'required'],
    [write, { note_id: 'n', text: 'a', colour: 'red' }, 'invalid_input', 'colour', 'unknown_field'],
    [write, { note_id: 'n', text: 'longer' }, 'invalid_input', 'text', 'max_length'],
  ])('refuses as REST does: %#', async (route, args, code, field, constraint) => {
    const error = await call(route, args).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, violations: [{ field, constraint }] });
  });

  it('is not found by an id that cannot be', async () => {
    await expect(call(write, { note_id: 'far too long', text: 'a' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('needs its scope', async () => {
    const reader = { ...keyHolder, scopes: ['tasks:read'] as const };
    await expect(call(write, { note_id: 'n', text: 'a' }, reader)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
