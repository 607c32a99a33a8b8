import { createUser } from '@eas/access';
import { scopes } from '@eas/contracts';
import type { Route } from '@eas/http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createRender, type PageParts, pageRoutes } from '../../src/pages/index.ts';
import { type Browser, openBrowser, type Page } from '../browser.ts';
import { baseUrl, cookies, useGateway } from '../gateway.ts';

const gateway = useGateway();
/** Only described here; the gateway of the test has its own. */
const parts = { signIn: {} as PageParts['signIn'], policyFor: async () => undefined };
const routes = pageRoutes({ ...parts, render: createRender(baseUrl), cookies });
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const closed = named.filter(([, route]) => route.hasCaller);
const password = 'a few words in a row';
let admin: Browser;

beforeAll(async () => {
  const email = 'admin@example.com';
  const body = { email, name: email, password, role: 'admin' as const };
  await createUser(gateway.test.context(), { body, scopes });
  admin = openBrowser(gateway.address);
  await admin.get('/sign-in');
  expect((await admin.submit({ email, password })).status).toBe(303);
});

const call = (browser: Browser, { method, path }: Route, headers?: Record<string, string>): Promise<Page> =>
  method === 'GET' ? browser.get(path, headers) : browser.post(path, {}, headers);

/** What every page is, whatever it says. */
function expectPage({ headers, text }: Page): void {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(text.match(/<h1>/g)).toHaveLength(1);
  expect(text).toContain('<main id="main"');
  expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
  for (const [, id] of text.matchAll(/<input type="(?!hidden)\w+"\s+id="(\w+)"/g))
    expect(text).toContain(`<label for="${id}">`);
  for (const [, described = ''] of text.matchAll(/aria-describedby="([^"]+)"/g))
    for (const id of described.split(' ')) expect(text).toContain(`id="${id}"`);
}

it('signing in and one-time links are open to anybody, signing out to the signed in', () => {
  const names = (access: Route['access']) =>
    named.filter(([, route]) => JSON.stringify(route.access) === JSON.stringify(access)).map(([name]) => name);
  const open = names('public');
  expect(open).toEqual(['GET /sign-in', 'POST /sign-in', 'GET /admin/welcome', 'POST /admin/welcome']);
  const signedIn = names({ session: [] });
  expect(signedIn).toEqual(['POST /sign-out']);
  expect(named).toHaveLength(open.length + signedIn.length);
});

it('no page is in the contract', async () => {
  const { paths } = (await gateway.get('/v1/openapi.json')).body;
  for (const { path } of routes) expect(paths).not.toHaveProperty([path]);
});

it.each(named.filter(([, { method }]) => method === 'GET'))(
  '%s is a page without scripts or styles of its own',
  async (_, route) => {
    const response = await call(admin, route);
    expect(response.status).toBe(route.path === '/admin/welcome' ? 404 : 200);
    expectPage(response);
  },
);

describe.each(closed)('%s', (_name, route) => {
  it('sends a visitor who is not signed in to sign in, an API key or not', async () => {
    const key = await gateway.makeKey(scopes);
    const rows = await gateway.rows();
    const planted = { cookie: `${cookies.session.name}=${'a'.repeat(43)}` };
    for (const headers of [undefined, { 'x-api-key': key }, planted]) {
      const response = await call(openBrowser(gateway.address), route, headers as Record<string, string> | undefined);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toMatch(/^\/sign-in(\?return_to=|$)/);
    }
    expect(await gateway.rows()).toEqual(rows);
  });

  it('changes nothing without the token of a page', async () => {
    if (route.method === 'GET') return;
    const rows = await gateway.rows();
    const response = await call(admin, route);
    expect(response.status).toBe(403);
    expectPage(response);
    expect(await gateway.rows()).toEqual(rows);
  });
});

it.each(['/admin/nothing', '/admin/keys/new/a/b/c', '/admin/welcome?nonsense=1', '/sign-in?nonsense=1'])(
  'GET %s is an error without details of the inside',
  async (path) => {
    const { status, text } = await admin.get(path);
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/zod|postgres|prisma|express|node_modules|\.ts:|select /i);
  },
);

it('the stylesheet and the icon are served to anybody, and nothing else of the folder', async () => {
  const one = openBrowser(gateway.address);
  const { status, headers } = await one.get('/admin/assets/pages.css');
  expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
    200,
    'text/css; charset=utf-8',
    'nosniff',
  ]);
  expect((await one.get('/admin/assets/icon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  for (const path of ['', '/', '/../render.ts', '/%2e%2e/render.ts', '/templates', '/.env'])
    expect((await one.get(`/admin/assets${path}`)).status).toBe(404);
});
