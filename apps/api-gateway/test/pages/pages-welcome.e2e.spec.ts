import { linkPath, makeFirstAdminLink, makePasswordLink } from '@eas/access';
import { scopes } from '@eas/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBrowser } from '../browser.ts';
import { baseUrl, useGateway } from '../gateway.ts';

const gateway = useGateway();
const password = 'a few words in a row';
const nasty = `<script>alert('1')</script>`;
const shownNasty = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;';
let firstLink: string;

beforeAll(async () => {
  firstLink = linkPath((await makeFirstAdminLink(gateway.test.context())) ?? 'there is an admin');
  const one = openBrowser(gateway.address);
  await one.get(firstLink);
  const made = await one.submit({ name: 'Ada', email: 'ada@example.com', password });
  expect([made.status, made.headers.get('location')]).toEqual([303, '/admin']);
  expect((await one.follow()).status).toBe(200);
  expect(JSON.parse((await one.get('/admin/api/session')).text).user).toMatchObject({ name: 'Ada', role: 'admin' });
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
    const person = { name: nasty, email: 'Grace@Example.com', role: 'member' };
    const { link } = await gateway.make('/admin/api/users', person);
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

  it('makes no administrator from a wrong form, which says at each field what is wrong and keeps what was typed', async () => {
    const context = gateway.test.context({ tenantId: await gateway.test.createTenant() });
    const one = openBrowser(gateway.address);
    await one.get(linkPath((await makeFirstAdminLink(context)) ?? 'there is an admin'));
    const rows = await gateway.rows();
    const response = await one.submit({ name: ' ', email: '<no address>', password });
    expect(response.status).toBe(400);
    expect(response.text).toContain('<title>Error: Welcome');
    expect(response.text).toMatch(/id="name-error">Your name is required\./);
    expect(response.text).toMatch(/id="email-error">E-mail does not have the required format\./);
    expect(response.text).toContain('value="&lt;no address&gt;"');
    const taken = await one.submit({ name: 'Ada', email: 'ada@example.com', password });
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('E-mail is already in use.')]);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('is dead after 24 hours', async () => {
    const { id } = await gateway.make('/admin/api/users', { name: 'L', email: 'late@example.com', role: 'viewer' });
    const token = await makePasswordLink(gateway.test.context(), { id, scopes });
    const { db } = gateway.test.database;
    await db.query(`UPDATE access_links SET expires_at = app_now() WHERE user_id = $1`, [id]);
    expect((await openBrowser(gateway.address).get(linkPath(token))).status).toBe(404);
  });
});

describe('an unknown one-time link', () => {
  it('is guessed 300 times a minute from an address at most', async () => {
    const guess = () => fetch(`${gateway.address()}/admin/welcome?token=${'x'.repeat(43)}`);
    let last = await guess();
    expect(last.status).toBe(404);
    for (let sent = 0; sent <= 600 && last.status === 404; sent += 20)
      last = (await Promise.all(Array.from({ length: 20 }, guess))).at(-1) as Response;
    expect([last.status, last.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
