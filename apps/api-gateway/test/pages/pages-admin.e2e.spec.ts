import { createUser, getUser, linkPath, makeFirstAdminLink, makePasswordLink } from '@eas/access';
import { type Scope, scopes } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Browser, openBrowser, type Page } from '../browser.ts';
import { baseUrl, cookies, useGateway } from '../gateway.ts';

const gateway = useGateway();
const password = 'a few words in a row';
const nasty = `<script>alert('1')</script>`;
const shownNasty = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;';
let firstLink: string;
let admin: Browser;

async function signIn(email: string): Promise<Browser> {
  const one = openBrowser(gateway.address);
  await one.get('/sign-in');
  await one.submit({ email, password });
  return one;
}

const makeUser = (email: string, own: readonly Scope[], secret?: string) =>
  createUser(gateway.test.context(), {
    body: { email, name: email, scopes: [...own], ...(secret === undefined ? {} : { password: secret }) },
    scopes,
  });

/** What a page shows this once. */
const secretOf = ({ text }: Page) => /<code>([^<]+)<\/code>/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
const callWith = async (key: string) => (await gateway.get('/v1/tasks', { key })).status;
/** The path of an act on the row in which a text stands. */
const actOf = ({ text }: Page, about: string, act: string) => {
  const row = text.split('<tr role="row">').find((one) => one.includes(about)) ?? '';
  return new RegExp(`href="([^"]+/${act})"`).exec(row)?.[1] ?? `no ${act} of ${about}`;
};

beforeAll(async () => {
  firstLink = linkPath((await makeFirstAdminLink(gateway.test.context())) ?? 'there is an admin');
  const one = openBrowser(gateway.address);
  await one.get(firstLink);
  const made = await one.submit({ name: 'Ada', email: 'ada@example.com', password });
  expect([made.status, made.headers.get('location')]).toEqual([303, '/admin']);
  expect((await one.follow()).status).toBe(200);
  expect(JSON.parse((await one.get('/admin/api/session')).text).user).toMatchObject({ name: 'Ada' });
  admin = one;
});

describe('a one-time link', () => {
  it('works once', async () => {
    const one = openBrowser(gateway.address);
    const used = await one.get(firstLink);
    expect(used.status).toBe(404);
    expect(used.text).toContain('<h1>This link is not valid</h1>');
    const again = await one.post('/admin/welcome', { token: firstLink.split('=')[1] ?? '', password });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null]);
  });

  it('sets the password of an invited user and signs in', async () => {
    await admin.get('/admin/users/new');
    const made = await admin.submit({ name: nasty, email: 'Grace@Example.com', scopes: ['admin', 'tasks:read'] });
    expect(made.status).toBe(303);
    await admin.follow();
    const link = secretOf(admin.page());
    expect(link.startsWith(`${baseUrl}/admin/welcome?token=`)).toBe(true);
    const one = openBrowser(gateway.address);
    const shown = await one.get(link.slice(baseUrl.length));
    expect(shown.text).toContain(`Welcome, ${shownNasty}.`);
    expect(shown.text).toContain('value="grace@example.com"');
    const short = await one.submit({ password: 'short' });
    expect(short.status).toBe(400);
    expect(short.text).toContain('Password is too short.');
    expect((await one.submit({ password })).status).toBe(303);
    expect((await one.follow()).status).toBe(200);
  });

  it('is dead after 24 hours', async () => {
    const { user } = await makeUser('late@example.com', ['admin']);
    const token = await makePasswordLink(gateway.test.context(), { id: user.id, scopes });
    const { db } = gateway.test.database;
    await db.query(`UPDATE access_links SET expires_at = app_now() WHERE user_id = $1`, [user.id]);
    expect((await openBrowser(gateway.address).get(linkPath(token))).status).toBe(404);
  });

  it('is replaced by a new one', async () => {
    const { user, linkToken = '' } = await makeUser('lost@example.com', ['tasks:read']);
    await admin.get(`/admin/users/${user.id}/link`);
    expect((await admin.submit({})).status).toBe(303);
    const made = await admin.follow();
    const one = openBrowser(gateway.address);
    expect((await one.get(linkPath(linkToken))).status).toBe(404);
    expect((await one.get(secretOf(made).slice(baseUrl.length))).status).toBe(200);
  });
});

it('nobody makes a link for somebody who may do more: it would let them in as that person', async () => {
  await makeUser('some@example.com', ['admin', 'tasks:read'], password);
  const some = await signIn('some@example.com');
  const { user } = await makeUser('all@example.com', scopes, password);
  await some.get(`/admin/users/${user.id}/link`);
  const rows = await gateway.rows();
  const response = await some.submit({});
  expect(response.status).toBe(403);
  expect(response.text).toContain('tasks:write');
  expect(await gateway.rows()).toEqual(rows);
});

describe('an API key', () => {
  beforeEach(() => admin.get('/admin/keys/new'));

  it('is made, works, is rotated and is revoked, all by page', async () => {
    const fields = { name: nasty, scopes: ['tasks:read', 'admin'], tier: 'basic', rate_limit: '57' };
    expect((await admin.submit(fields)).status).toBe(303);
    const made = await admin.follow();
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const key = secretOf(made);
    expect(await callWith(key)).toBe(200);
    expect(made.text).toContain(shownNasty);

    const list = await admin.get('/admin/keys');
    expect(list.text).toContain(shownNasty);
    expect(list.text).not.toContain('<script');
    expect(list.text).not.toContain(key);
    expect(list.text).toContain(`${key.slice(0, 13)}…${key.slice(-4)}`);
    expect(list.text).toContain('basic, 57 per minute');

    await admin.get(actOf(list, shownNasty, 'rotate'));
    expect((await admin.submit({ overlap_seconds: '0' })).status).toBe(303);
    const next = secretOf(await admin.follow());
    expect(await callWith(next)).toBe(200);
    await eventually(async () => (await callWith(key)) === 401);

    await admin.get(actOf(list, shownNasty, 'revoke'));
    const revoked = await admin.submit({});
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, '/admin/keys?done=revoked']);
    await eventually(async () => (await callWith(next)) === 401);
    expect((await admin.follow()).text).toMatch(/role="status">The key has been revoked/);
  });

  it('is made once and shown once, also when its page is loaded again or asked for by another session', async () => {
    const name = 'loaded again';
    const count = async () =>
      (await gateway.get(`/admin/api/keys?name=${encodeURIComponent(name)}`)).body.metadata.total;
    expect((await admin.submit({ name, scopes: ['tasks:read'], tier: 'basic' })).status).toBe(303);
    await makeUser('curious@example.com', ['admin'], password);
    const curious = await signIn('curious@example.com');
    curious.cookies.set(cookies.made.name, admin.cookies.get(cookies.made.name) ?? 'no cookie');
    expect(secretOf(await curious.get('/admin/made'))).toBe('');
    const key = secretOf(await admin.follow());
    expect(await callWith(key)).toBe(200);
    const again = await admin.get('/admin/made');
    expect([again.status, secretOf(again)]).toEqual([200, '']);
    expect(again.text).toContain('<h1>Not shown again</h1>');
    expect(await count()).toBe(1);
  });

  it('is not made of a wrong form, which says at each field what is wrong and keeps what was typed', async () => {
    const rows = await gateway.rows();
    const typed = { scopes: ['tasks:read'], tier: 'standard', rate_limit: '<0', expires_at: '2001-01-01' };
    const response = await admin.submit({ name: ' ', ...typed });
    expect(response.status).toBe(400);
    expect(response.text).toContain('<title>Error: Create an API key');
    expect(response.text).toMatch(/id="name-error">Name is required\./);
    expect(response.text).toMatch(/id="rate_limit-error">Rate limit does not have the required format\./);
    expect(response.text).toContain('value="&lt;0"');
    expect(response.text).toContain('value="2001-01-01"');
    expect(response.text).toContain('value="tasks:read" checked');
    const past = await admin.submit({ ...typed, name: 'n', rate_limit: '' });
    expect(past.text).toMatch(/id="expires_at-error">Expiry date is too small\./);
    const stranger = await admin.submit({ ...typed, name: 'n', rate_limit: '', expires_at: '', agent_id: 'agt_0' });
    expect(stranger.text).toContain('id="agent_id-error"');
    expect(await gateway.rows()).toEqual(rows);
  });

  it('is not made without the token of the page, or with another one', async () => {
    const rows = await gateway.rows();
    const fields = { name: 'n', scopes: ['tasks:read'], tier: 'standard' };
    for (const more of [{}, { csrf_token: '' }, { csrf_token: 'x'.repeat(43) }]) {
      const response = await admin.post('/admin/keys/new', { ...fields, ...(more as Record<string, string>) });
      expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    }
    expect(await gateway.rows()).toEqual(rows);
  });

  it('never has a scope that its maker lacks', async () => {
    await makeUser('little@example.com', ['admin', 'tasks:read'], password);
    const little = await signIn('little@example.com');
    await little.get('/admin/keys/new');
    const response = await little.submit({ name: 'n', scopes: ['tasks:write'], tier: 'standard' });
    expect(response.status).toBe(403);
    expect(response.text).toMatch(/role="alert"[^]*tasks:write/);
  });
});

it('lists go on page by page', async () => {
  for (let count = 0; count < 41; count += 1) await gateway.makeKey(['tasks:read']);
  const seen = new Set<string>();
  let path: string | undefined = '/admin/keys';
  for (let page = 0; path !== undefined && page < 10; page += 1) {
    const { status, text } = await admin.get(path);
    expect(status).toBe(200);
    for (const [, id = ''] of text.matchAll(/\/admin\/keys\/(key_\w+)\/revoke/g)) seen.add(id);
    path = /href="([^"]+)" rel="next"/.exec(text)?.[1];
  }
  const { total } = (await gateway.get('/admin/api/keys?status=active&limit=1')).body.metadata;
  expect(seen.size).toBe(total);
});

it('an OAuth client is made with a secret that is shown once, and removed', async () => {
  await admin.get('/admin/clients/new');
  const fields = { name: nasty, kind: 'confidential', scopes: ['tasks:read'], tier: 'standard' };
  const bad = await admin.submit({ ...fields, redirect_uris: 'nonsense' });
  expect(bad.status).toBe(400);
  expect(bad.text).toMatch(/id="redirect_uris-error"[^]*>nonsense<\/textarea>/);
  const addresses = 'https://a.example/cb\r\nhttps://b.example/cb\r\n';
  expect((await admin.submit({ ...fields, redirect_uris: addresses })).status).toBe(303);
  const made = await admin.follow();
  const [id = '', secret = ''] = [...made.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, text]) => text);
  const list = await admin.get('/admin/clients');
  expect(list.text).toContain('https://a.example/cb, https://b.example/cb');
  expect(list.text).toContain(shownNasty);
  expect(list.text).not.toContain(secret);
  await admin.get(actOf(list, id, 'remove'));
  expect((await admin.submit({})).status).toBe(303);
  expect((await admin.follow()).text).not.toContain(id);
});

it('a user is removed, and signed out', async () => {
  const { user } = await makeUser('leaving@example.com', ['admin', 'tasks:read'], password);
  const leaving = await signIn('leaving@example.com');
  expect((await leaving.get('/admin')).status).toBe(200);
  await admin.get(`/admin/users/${user.id}/remove`);
  expect((await admin.submit({})).status).toBe(303);
  await eventually(async () => (await leaving.get('/admin')).status === 303);
  await expect(getUser(gateway.test.context(), user.id)).rejects.toMatchObject({ code: 'not_found' });
});

it('the audit log shows who did what, and nothing secret', async () => {
  const { status, text } = await admin.get('/admin/audit');
  expect(status).toBe(200);
  for (const action of ['user.deleted', 'oauth_client.deleted']) expect(text).toContain(action);
  expect(text).not.toContain(password);
});
