import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { silent } from '../served-routes.fixture.ts';
import { defineRoute, mountRoutes, type Route } from '../index.ts';

const base = {
  method: 'GET',
  summary: 'Read',
  tags: ['Notes'],
  access: 'public',
  errors: [],
} as const;
const note = z.object({ id: z.string(), tags: z.array(z.string()) });

describe('defineRoute', () => {
  it('takes the documented responses', () => {
    const route = defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note }, 204: { description: 'None' } },
      handler: async () => (Math.random() < 0.5 ? { status: 200, body: { id: 'a', tags: ['b'] } } : { status: 204 }),
    });
    expect(route.path).toBe('/notes');
  });

  it('does not compile with a response that is not documented', () => {
    defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note } },
      // @ts-expect-error the status is not documented
      handler: async () => ({ status: 201, body: { id: 'a', tags: [] } }),
    });
    defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note } },
      // @ts-expect-error the body lacks its tags
      handler: async () => ({ status: 200, body: { id: 'a' } }),
    });
    expect.assertions(0);
  });

  it('throws at boot when path and params contradict', () => {
    const define = () =>
      defineRoute({
        ...base,
        tags: ['Notes'],
        path: '/notes/{note_id}',
        responses: { 204: { description: 'None' } },
        handler: async () => ({ status: 204 }),
      });
    expect(define).toThrow('params do not fit');
  });

  it('types the responses of pages, versions and forms', () => {
    const route = defineRoute({
      ...base,
      method: 'POST',
      path: '/notes',
      access: { session: [] },
      form: z.object({ title: z.string() }),
      isVersioned: true,
      responses: { 200: { description: 'The page', html: true }, 303: { description: 'To the list' } },
      handler: async (_ctx, { body, ifMatch, principal }) =>
        ifMatch?.length ? { status: 200, body: body.title } : { status: 303, headers: { Location: principal.kind } },
    });
    expect([route.isPage, route.isDocumented, route.isIdempotent]).toEqual([true, false, false]);
    defineRoute({
      ...base,
      path: '/notes',
      responses: { 200: { description: 'The page', html: true } },
      // @ts-expect-error a page is text
      handler: async () => ({ status: 200, body: { id: 'a' } }),
    });
    defineRoute({
      ...base,
      path: '/notes',
      responses: { 204: { description: 'None' } },
      // @ts-expect-error only a versioned route takes If-Match
      handler: async (_ctx, { ifMatch }) => (ifMatch ? { status: 204 } : { status: 204 }),
    });
  });

  const none = { path: '/notes', responses: { 204: { description: 'None' } }, handler: async () => ({ status: 204 }) };
  const html = { path: '/notes', responses: { 200: { description: 'Page', html: true } } } as const;
  const page = { ...html, handler: async () => ({ status: 200, body: '' }) } as const;
  const form = z.object({});
  it.each<[string, object]>([
    ['no scope is named', { ...none, access: { scope: [] } }],
    ['a page is for a session or for anybody', { ...page, access: { scope: 'tasks:read' } }],
    ['pages are not part of the contract', { ...page, isDocumented: true }],
    ['a page takes a form, no body', { ...none, method: 'POST', form, body: form }],
    ['only POST takes a form', { ...none, method: 'PUT', form }],
    ['a session changes things by forms', { ...none, method: 'POST', access: { session: [] } }],
    ['a PATCH body has no defaults', { ...none, method: 'PATCH', body: z.object({ a: z.string().default('') }) }],
  ])('throws at boot: %s', (message, definition) => {
    expect(() => defineRoute({ ...base, ...definition } as never)).toThrow(message);
  });
});

describe('mountRoutes', () => {
  const [signedIn, open] = ([{ session: [] }, 'public'] as const).map((access) =>
    defineRoute({
      ...base,
      path: '/notes',
      access,
      responses: { 200: { description: 'The page', html: true } },
      handler: async () => ({ status: 200, body: '' }),
    }),
  ) as [Route, Route];
  const deps = { authenticate: () => Promise.reject(new Error()), makeContext: () => ({}) as never, logger: silent };

  it('throws at boot when pages lack what they need', () => {
    expect(() => mountRoutes([open], deps)).toThrow('renderErrorPage');
    expect(() => mountRoutes([signedIn], { ...deps, renderErrorPage: () => '' })).toThrow('signInPath');
    expect(() => mountRoutes([open], { ...deps, renderErrorPage: () => '' })).not.toThrow();
  });
});
