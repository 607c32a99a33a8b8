import { defaultTenantId } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { type ApiResponse, baseUrl, type CallOptions, expectError, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/session';
const password = 'a long enough password';
const asNobody = { key: null };

let made = 0;
async function makePerson(scopes: string[] = ['admin', 'tasks:read', 'tasks:write']) {
  const email = `someone${(made += 1)}@example.com`;
  const { id } = await gateway.make('/admin/api/users', { email, name: 'S', scopes, password });
  return { email, id };
}
const signIn = (email: string, text = password, options: CallOptions = {}) =>
  gateway.post(path, { email, password: text }, { ...asNobody, ...options });
const cookieOf = ({ headers }: ApiResponse) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
/** The headers of a signed-in person. */
async function enter(scopes?: string[], options?: CallOptions) {
  const person = await makePerson(scopes);
  const response = await signIn(person.email, password, options);
  const cookie = cookieOf(response);
  const csrf = { 'x-csrf-token': response.body.csrf_token as string };
  return { ...person, response, reading: { cookie }, writing: { cookie, ...csrf } };
}
const by = (headers: Record<string, string>) => ({ key: null, headers });

describe('signing in', () => {
  it('gives a cookie that scripts and other sites cannot use, and the token for changes', async () => {
    const { response, email, id } = await enter(undefined, { isDirect: true });
    expect(response.status).toBe(201);
    const attributes = 'Path=/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$';
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(`^__Host-eas_session=[\\w-]{43}; ${attributes}`),
      expect.stringMatching(`^__Host-eas_device=[\\w.-]{50,200}; ${attributes}`),
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toMatchObject({ user: { id, email }, csrf_token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(response.text).not.toContain(cookieOf(response).split('=')[1]);
  });

  it('takes an e-mail address in any case', async () => {
    const { email } = await makePerson();
    expect((await signIn(email.toUpperCase())).status).toBe(201);
  });

  it('is 401 with one text for a wrong password and for an unknown address', async () => {
    const { email } = await makePerson();
    const responses = [await signIn(email, 'wrong'), await signIn('unknown@example.com')];
    for (const response of responses) {
      expectError(response, 401, 'unauthorized');
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect(responses[0]?.body.error.message).toBe(responses[1]?.body.error.message);
  });

  it('is refused from a page of another site, which could sign people in as another user', async () => {
    const { email } = await makePerson();
    const from = (origin: string) => gateway.post(path, { email, password }, { key: null, headers: { origin } });
    for (const origin of ['https://evil.example.com', 'null']) expectError(await from(origin), 403, 'forbidden');
    expect((await from(baseUrl)).status).toBe(201);
  });

  it('is refused for what is wrong in the body', async () => {
    const cases: [object, string, string][] = [
      [{ password }, 'email', 'required'],
      [{ email: 'no address', password }, 'email', 'format'],
      [{ email: 'a@example.com' }, 'password', 'required'],
      [{ email: 'a@example.com', password: 'x'.repeat(257) }, 'password', 'max_length'],
    ];
    for (const [body, field, constraint] of cases)
      expectError(await gateway.post(path, body, asNobody), 400, 'invalid_input', { field, constraint });
  });

  it('is 429 after ten tries for an address in a minute, even with the right password', async () => {
    const { email } = await makePerson();
    const tries: number[] = [];
    const afterTooMany = async () => {
      while (tries.at(-1) !== 429 && tries.length < 50) tries.push((await signIn(email, 'wrong')).status);
      return signIn(email);
    };
    let response = await afterTooMany();
    // A minute may end between two tries.
    if (response.status === 201) response = (tries.pop(), await afterTooMany());
    expect(tries.slice(0, 10)).toEqual(Array(10).fill(401));
    expectError(response, 429, 'rate_limited');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn((await makePerson()).email)).status).toBe(201);
  });
});

describe('a session', () => {
  it('reads with the cookie alone and changes only with the CSRF token too', async () => {
    const { reading, writing } = await enter();
    expect((await gateway.get('/admin/api/keys', by(reading))).status).toBe(200);
    expect((await gateway.get('/v1/tasks', by(reading))).status).toBe(200);
    const body = { name: 'k', scopes: ['tasks:read'] };
    for (const headers of [reading, { ...reading, 'x-csrf-token': 'a'.repeat(43) }]) {
      const before = await gateway.rows();
      expectError(await gateway.post('/admin/api/keys', body, by(headers)), 403, 'forbidden');
      expect(await gateway.rows()).toEqual(before);
    }
    const { response: other } = await enter();
    const foreign = { ...reading, 'x-csrf-token': other.body.csrf_token };
    expectError(await gateway.post('/admin/api/keys', body, by(foreign)), 403, 'forbidden');
    const key = await gateway.post('/admin/api/keys', body, by(writing));
    expect(key.status).toBe(201);
  });

  it('acts as its person, within the person’s scopes and 1,000 requests a minute', async () => {
    const { id, writing } = await enter();
    const made = await gateway.post('/admin/api/keys', { name: 'k', scopes: ['tasks:read'] }, by(writing));
    expect(made.body.created_by).toBe(id);
    expect(made.headers.get('x-ratelimit-limit')).toBe('1000');
    const beyond = await gateway.post('/admin/api/keys', { name: 'k', scopes: ['events:read'] }, by(writing));
    expectError(beyond, 403, 'forbidden');
    const reader = await enter(['tasks:read']);
    expectError(await gateway.get('/admin/api/keys', by(reader.reading)), 403, 'forbidden');
    expect((await gateway.get('/v1/tasks', by(reader.reading))).status).toBe(200);
  });

  it('is read by its owner, with any rights', async () => {
    const { response, reading } = await enter(['tasks:read']);
    const read = await gateway.get(path, by(reading));
    expect([read.status, read.body]).toEqual([200, response.body]);
  });

  it('ends at sign-out, and the cookie is removed', async () => {
    const { reading, writing } = await enter(['tasks:read']);
    expectError(await gateway.send('DELETE', path, undefined, by(reading)), 403, 'forbidden');
    const response = await gateway.send('DELETE', path, undefined, by(writing));
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-eas_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    await eventually(async () => (await gateway.get('/v1/tasks', by(reading))).status !== 200);
    expectError(await gateway.get(path, by(reading)), 401, 'unauthorized');
  });

  it('changes the password of its person, who shows the current one, and ends the other sessions', async () => {
    const { id, email, reading, writing } = await enter(['tasks:read']);
    const other = { cookie: cookieOf(await signIn(email)) };
    const change = (body: object, headers = writing) => gateway.post(`${path}/password`, body, by(headers));
    const body = { current_password: password, new_password: 'another long password' };
    expectError(await change(body, { ...reading, 'x-csrf-token': 'none' }), 403, 'forbidden');
    expectError(await change({ ...body, current_password: 'not this one' }), 400, 'invalid_input', {
      field: 'current_password',
      constraint: 'enum',
    });
    const tooShort = { field: 'new_password', constraint: 'min_length' };
    expectError(await change({ ...body, new_password: 'short' }), 400, 'invalid_input', tooShort);
    expect((await gateway.get(path, by(other))).status).toBe(200);

    expect((await change(body)).status).toBe(204);
    await eventually(async () => (await gateway.get(path, by(other))).status === 401);
    expect((await gateway.get(path, by(reading))).status).toBe(200);
    expectError(await signIn(email), 401, 'unauthorized');
    expect((await signIn(email, body.new_password)).status).toBe(201);
    const { data } = (await gateway.get(`/admin/api/audit?target_id=${id}&sort=id`)).body;
    const done = data.map(({ action, data: more }: { action: string; data: object }) => [action, more]);
    expect(done).toContainEqual(['user.changed', { is_password_new: true }]);
    expect(JSON.stringify(data)).not.toContain(body.new_password);
  });

  it('is 429 after ten wrong current passwords in a minute', async () => {
    const { writing } = await enter(['tasks:read']);
    const change = (current: string) =>
      gateway.post(
        `${path}/password`,
        { current_password: current, new_password: 'another long password' },
        by(writing),
      );
    const tries: number[] = [];
    const afterTooMany = async (current: string) => {
      while (tries.at(-1) !== 429 && tries.length < 50) tries.push((await change('wrong')).status);
      return change(current);
    };
    let response = await afterTooMany(password);
    // A minute may end between two tries.
    if (response.status === 204) response = (tries.pop(), await afterTooMany('another long password'));
    expect(tries.slice(0, 10)).toEqual(Array(10).fill(400));
    expectError(response, 429, 'rate_limited');
  });

  it('is 404 for a caller that came with a key', async () => {
    const change = { current_password: password, new_password: 'another long password' };
    expectError(await gateway.post(`${path}/password`, change), 404, 'not_found');
    expectError(await gateway.get(path), 404, 'not_found');
    expectError(await gateway.send('DELETE', path), 404, 'not_found');
  });

  it('lives in the tenant of its person', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['admin', 'tasks:read'], { tenantId });
    const body = { email: 'far@example.com', name: 'F', scopes: ['tasks:read', 'admin'], password };
    await gateway.make('/admin/api/users', body, { key });
    const cookie = cookieOf(await signIn('far@example.com'));
    const users = await gateway.get('/admin/api/users', by({ cookie }));
    expect(users.body.data.map(({ email }: { email: string }) => email)).toEqual(['far@example.com']);
    expect(tenantId).not.toBe(defaultTenantId);
  });
});
