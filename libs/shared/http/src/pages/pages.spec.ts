import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { keyHolder, leaving, openBudget, person, serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';

const seen: unknown[] = [];
const page = { summary: 'A page', tags: ['Pages'], errors: [] } as const;
const html = { 200: { description: 'The page', html: true } } as const;
const signedIn = { session: ['tasks:read'] } as const;
const noteForm = z.object({
  title: z.string().min(1).max(10),
  comment: z.string().min(3).max(20).optional(),
  tag: z.array(z.string().max(5)).max(3).default([]),
});

const routes = [
  defineRoute({
    ...page,
    method: 'GET',
    path: '/admin/notes',
    access: signedIn,
    query: z.object({ view: z.enum(['all', 'mine']).optional() }),
    responses: html,
    handler: async (_ctx, { principal, query }) => ({ status: 200, body: `<p>${principal.kind} ${query.view ?? ''}` }),
  }),
  defineRoute({
    ...page,
    method: 'POST',
    path: '/admin/notes',
    access: { session: [] },
    form: noteForm,
    responses: { 303: { description: 'To the list' } },
    handler: async (_ctx, { body }) => {
      seen.push(body);
      return { status: 303, headers: { Location: '/admin/notes' } };
    },
  }),
  defineRoute({
    ...page,
    method: 'POST',
    path: '/admin/notes/{note_id}/burn',
    access: { session: ['admin'] },
    params: z.object({ note_id: z.string().max(10) }),
    form: z.object({}),
    responses: { 303: { description: 'To the list' } },
    handler: async () => ({ status: 303, headers: { Location: '/admin/notes' } }),
  }),
  defineRoute({
    ...page,
    method: 'GET',
    path: '/admin/broken/{how}',
    access: 'public',
    params: z.object({ how: z.string().max(10) }),
    responses: html,
    handler: async (_ctx, { params: { how } }) => {
      if (how === 'missing') throw new AppError('not_found', { message: 'No such <note>.' });
      if (how === 'elsewhere') return { status: 200, body: '', headers: { Location: '//evil.example' } };
      if (how === 'split') return { status: 200, body: '', headers: { Location: '/a\r\nSet-Cookie: x=1' } };
      if (how === 'loose') return { status: 200, body: 'x', headers: { 'Content-Security-Policy': "img-src 'self'" } };
      throw new Error('secret text');
    },
  }),
  defineRoute({
    ...page,
    method: 'POST',
    path: '/sign-in',
    access: 'public',
    form: z.object({ email: z.string().max(50) }),
    responses: { 303: { description: 'In' } },
    handler: async (_ctx, { body }) => {
      seen.push(body);
      return { status: 303, headers: { Location: '/admin/notes' } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/admin/api/notes',
    summary: 'Make a note',
    tags: ['Notes'],
    errors: [],
    access: { scope: 'tasks:write' },
    body: z.object({}),
    responses: { 204: { description: 'Made' } },
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/notes',
    summary: 'List notes',
    tags: ['Notes'],
    errors: [],
    access: { scope: 'tasks:write' },
    responses: { 204: { description: 'None' } },
    handler: async () => ({ status: 204 }),
  }),
];

let left = 1_000;
const throttled: string[] = [];
const { call, callAs } = serveRoutes(routes, {
  signInPath: '/sign-in',
  baseUrl: 'https://eas.example.com/base',
  renderErrorPage: ({ status, message }) => `<h1>${status}</h1>${message.replace('<', '&lt;')}`,
  budget: {
    ...openBudget,
    lookUps: { ...openBudget.lookUps, count: async (address) => void throttled.push(address) },
    take: leaving(() => (left -= 1)),
  },
});
const cookie = { cookie: 'session=good' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const token = `csrf_token=${person.csrfToken}`;
const submit = (path: string, body: string, headers: Record<string, string> = { ...cookie, ...formType }) =>
  call('POST', path, { body, headers });

describe('a page', () => {
  it('is sent as HTML that may not load other origins, be framed or be stored', async () => {
    const { status, headers, text } = await call('GET', '/admin/notes', { headers: cookie });
    expect([status, text, headers.get('content-type')]).toEqual([200, '<p>session ', 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // Otherwise browsers would send our own forms with "Origin: null".
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('may have another content security policy', async () => {
    const { headers } = await call('GET', '/admin/broken/loose');
    expect(headers.get('content-security-policy')).toBe("img-src 'self'");
  });

  it.each([
    ['a visitor', {}],
    ['a wrong cookie', { cookie: 'session=bad' }],
    ['a wrong key', { 'x-api-key': 'bad' }],
    ['a right key', { 'x-api-key': 'good' }],
  ])('sends %s to sign in, and back to what was asked for', async (_who, headers) => {
    const { status, headers: response } = await call('GET', '/admin/notes?view=all', { headers });
    expect([status, response.get('location')]).toEqual([303, '/base/sign-in?return_to=%2Fadmin%2Fnotes%3Fview%3Dall']);
    expect(response.get('x-ratelimit-limit')).toBeNull();
    expect(throttled).toEqual([]);
  });

  it('opens for the cookie, whatever else is sent', async () => {
    expect((await call('GET', '/admin/notes', { headers: { ...cookie, 'x-api-key': 'bad' } })).status).toBe(200);
  });

  it('redirects back only to pages that can be read', async () => {
    const asked = await call('POST', '/admin/notes/1/burn', { headers: formType, body: 'a=1' });
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/base/sign-in']);
  });

  it.each([
    ['a missing scope', 403, () => submit('/admin/notes/1/burn', token)],
    ['a bad query', 400, () => call('GET', '/admin/notes?view=none', { headers: cookie })],
    ['an unknown thing', 404, () => call('GET', '/admin/broken/missing')],
    ['an unexpected error', 500, () => call('GET', '/admin/broken/other')],
  ])('shows %s in a page', async (_name, expected, ask) => {
    const { status, headers, text } = await ask();
    expect([status, headers.get('content-type')]).toEqual([expected, 'text/html; charset=utf-8']);
    expect(text).toContain(`<h1>${expected}</h1>`);
    expect(text).not.toContain('secret text');
    expect(headers.get('content-security-policy')).toContain("style-src 'self'");
  });

  it('shows a page to a browser that is led to a path that does not exist, and JSON to a program', async () => {
    const shown = await call('GET', '/admin/nothing', { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect([shown.status, shown.text]).toEqual([404, '<h1>404</h1>This path does not exist.']);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const read = await call('GET', '/admin/nothing', { headers: { accept: '*/*' } });
    expect([read.status, read.body.error.code]).toEqual([404, 'not_found']);
  });

  it('shows too many requests in a page, with Retry-After', async () => {
    left = 0;
    const { status, headers, text } = await call('GET', '/admin/notes', { headers: cookie });
    left = 1_000;
    expect([status, text]).toEqual([429, '<h1>429</h1>More than 9 requests in a minute. Try again in a minute.']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each(['elsewhere', 'split'])('never leads away from this site or splits its headers: %s', async (how) => {
    const { status, headers } = await call('GET', `/admin/broken/${how}`);
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([500, null, null]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('a form', () => {
  it('returns its fields according to the schema, without the token', async () => {
    seen.length = 0;
    const { status, headers } = await submit('/admin/notes', `title=a+b%21&tag=x&tag=y&comment=&${token}`);
    expect([status, headers.get('location')]).toEqual([303, '/base/admin/notes']);
    expect(seen).toEqual([{ title: 'a b!', tag: ['x', 'y'] }]);
  });

  it.each([
    ['an unknown field', 'title=a&nope=1'],
    ['a field given twice', 'title=a&title=b'],
    ['broken percent-encoding', 'title=%zz'],
    ['U+0000', 'title=%00'],
    ['invalid UTF-8', 'title=%ff'],
    ['a missing field', 'comment=long'],
    ['__proto__', 'title=a&__proto__=1'],
    ['constructor', 'title=a&constructor=1'],
  ])('with %s is refused', async (_name, fields) => {
    seen.length = 0;
    const { status } = await submit('/admin/notes', `${fields}&${token}`);
    expect([status, seen]).toEqual([400, []]);
  });

  it.each([
    ['no token', 'title=a'],
    ['a wrong token', 'title=a&csrf_token=token-of-the-sessioN'],
  ])('with %s is refused', async (_name, fields) => {
    seen.length = 0;
    const { status } = await submit('/admin/notes', fields);
    expect([status, seen]).toEqual([403, []]);
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'of type %s is refused',
    async (type) => {
      expect((await submit('/admin/notes', 'title=a', { ...cookie, 'content-type': type })).status).toBe(415);
    },
  );

  it('over 64 KiB is refused', async () => {
    expect((await submit('/admin/notes', `title=${'a'.repeat(65_536)}`)).status).toBe(413);
  });

  it('of another site is refused; of this one, by any of its names, it is accepted', async () => {
    const host = 'eas.internal:8080';
    const send = async (origin: string) =>
      (await callAs({ ...formType, host, origin }, 'POST', '/sign-in', 'email=a')).status;
    seen.length = 0;
    for (const origin of [
      'https://evil.example',
      'null',
      'https://eas.example.com.evil.example',
      'http://eas.internal',
    ])
      expect(await send(origin)).toBe(403);
    expect(seen).toEqual([]);
    for (const origin of ['https://eas.example.com', `http://${host}`, `https://${host}`])
      expect(await send(origin)).toBe(303);
    expect((await submit('/sign-in', 'email=a', formType)).status).toBe(303);
  });
});

describe('a JSON route called with a session', () => {
  const post = (headers: Record<string, string>) =>
    call('POST', '/admin/api/notes', { headers, body: Buffer.from('{}') });

  it('requires the session’s token in a header if it changes something', async () => {
    const without = await post(cookie);
    expect([without.status, without.body.error.code]).toEqual([403, 'forbidden']);
    expect((await post({ ...cookie, 'x-csrf-token': 'wrong' })).status).toBe(403);
    expect((await post({ ...cookie, 'x-csrf-token': person.csrfToken ?? '' })).status).toBe(204);
  });

  it('requires none for reading, and none with a key', async () => {
    expect((await call('GET', '/admin/api/notes', { headers: cookie })).status).toBe(204);
    expect((await post({ 'x-api-key': 'good' })).status).toBe(204);
    expect(keyHolder.csrfToken).toBeUndefined();
  });
});

describe('a wrong credential', () => {
  it('is reported to the throttle; a missing one and a wrong cookie are not', async () => {
    throttled.length = 0;
    for (const headers of [{}, { 'x-api-key': '' }, { cookie: 'session=bad' }])
      expect((await call('GET', '/admin/api/notes', { headers })).status).toBe(401);
    expect(throttled).toEqual([]);
    await call('GET', '/admin/api/notes', { headers: { 'x-api-key': 'bad' } });
    await call('GET', '/admin/api/notes', { headers: { authorization: 'Bearer bad' } });
    expect(throttled).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});
