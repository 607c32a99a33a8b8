import { createUser } from '@eas/access';
import { scopes } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBrowser } from '../browser.ts';
import { cookies, useGateway } from '../gateway.ts';

const gateway = useGateway();
const browser = () => openBrowser(gateway.address);
const person = { email: 'ada@example.com', password: 'a few words in a row' };
/** Each may try ten times a minute. */
const other = { ...person, email: 'grace@example.com' };

beforeAll(async () => {
  for (const one of [person, other]) {
    const body = { ...one, name: one.email, scopes: [...scopes] };
    await createUser(gateway.test.context(), { body, scopes });
  }
});

async function signedIn() {
  const one = browser();
  await one.get('/sign-in');
  await one.submit(other);
  return one;
}

describe('signing in', () => {
  it('is the target for visitors who are not signed in, and leads back', async () => {
    const one = browser();
    const asked = await one.get('/admin/keys?status=active');
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      '/sign-in?return_to=%2Fadmin%2Fkeys%3Fstatus%3Dactive',
    ]);
    await one.follow();
    const response = await one.submit(person);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/admin/keys?status=active']);
    expect((await one.follow()).text).toContain('<div id="app"></div>');
  });

  it('gives a cookie that scripts, other sites and plain connections do not get', async () => {
    const one = browser();
    await one.get('/sign-in');
    const response = await one.submit({ ...person, email: ' ADA@Example.com ' });
    const attributes = 'Path=/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$';
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(`^__Host-eas_session=[\\w-]{43}; ${attributes}`),
      expect.stringMatching(`^__Host-eas_device=[\\w.-]{50,200}; ${attributes}`),
    ]);
  });

  it('accepts no session ID chosen by another party', async () => {
    const one = browser();
    const planted = 'a'.repeat(43);
    one.cookies.set(cookies.session.name, planted);
    await one.get('/sign-in');
    await one.submit(person);
    const first = one.cookies.get(cookies.session.name);
    await one.get('/sign-in');
    await one.submit(person);
    expect(new Set([planted, first, one.cookies.get(cookies.session.name)]).size).toBe(3);
  });

  it('responds with the same 401 for an unknown address and a wrong password, and keeps only the address', async () => {
    const texts = await Promise.all(
      [person.email, 'unknown@example.com', 'no address'].map(async (email) => {
        const one = browser();
        await one.get('/sign-in');
        const response = await one.submit({ email, password: 'another <wrong> password' });
        expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
        expect(response.text).toContain(`value="${email}"`);
        expect(response.text).not.toContain('wrong&gt; password');
        return response.text.replace(email, '…');
      }),
    );
    expect(texts[0]).toContain('role="alert"');
    expect(new Set(texts).size).toBe(1);
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', '/\t/elsewhere.example', 'x'])(
    'never leads to another site: %j',
    async (target) => {
      const one = browser();
      await one.get(`/sign-in?return_to=${encodeURIComponent(target)}`);
      const response = await one.submit(person);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/admin']);
    },
  );

  it('is refused when the form comes from a page of another site', async () => {
    const response = await browser().post('/sign-in', person, { origin: 'https://elsewhere.example' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(response.text).toContain('<h1>You do not have permission</h1>');
  });
});

describe('signing out', () => {
  it('ends the session on the server, also for a copy of the cookie', async () => {
    const one = await signedIn();
    const kept = new Map(one.cookies);
    const { csrf_token: token } = JSON.parse((await one.get('/admin/api/session')).text);
    const response = await one.post('/sign-out', { csrf_token: token });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?done=signed_out']);
    expect([...one.cookies.keys()]).toEqual([cookies.device.name]);
    expect((await one.follow()).text).toContain('role="status"');
    for (const [name, value] of kept) one.cookies.set(name, value);
    await eventually(async () => (await one.get('/admin')).status === 303);
  });

  it('needs the token of the page', async () => {
    const one = await signedIn();
    for (const fields of [{}, { csrf_token: '' }, { csrf_token: 'x'.repeat(43) }])
      expect((await one.post('/sign-out', fields as Record<string, string>)).status).toBe(403);
    expect((await one.get('/admin')).status).toBe(200);
  });
});

it('responds with 429 with a page after ten tries a minute for an address, right or wrong', async () => {
  const one = browser();
  const tries = { email: 'tried@example.com', password: 'wrong' };
  let response = await one.post('/sign-in', tries);
  let refused = 0;
  // A minute may end between two tries: then there are more of them.
  for (; response.status === 401 && refused < 25; refused += 1) response = await one.post('/sign-in', tries);
  expect([response.status, refused >= 10]).toEqual([429, true]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.text).toContain('<h1>Too many attempts</h1>');
});
