import { roleScopes, scopes, userRoles } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/users';
const password = 'a long enough password';
let made = 0;
const person = (over: object = {}) => ({
  email: `user${(made += 1)}@example.com`,
  name: 'Ada',
  scopes: ['tasks:read'],
  ...over,
});
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `${path}/${id}`, JSON.stringify(body), { headers });
const remove = (id: string) => gateway.send('DELETE', `${path}/${id}`);
const signIn = (email: string, text: string) =>
  gateway.post('/admin/api/session', { email, password: text }, { key: null });

describe('users', () => {
  it('are added with a password, which is not shown again', async () => {
    const sent = person({ email: 'Ada.Lovelace@Example.com' });
    const { status, body, headers, text } = await gateway.post(path, { ...sent, password });
    expect([status, headers.get('location')]).toEqual([201, `${baseUrl}${path}/${body.id}`]);
    expect(body).toEqual({
      ...sent,
      email: 'ada.lovelace@example.com',
      role: null,
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      status: 'active',
      created_by: expect.stringMatching(/^key_/),
      created_at: expect.any(String),
      updated_at: body.created_at,
      last_signed_in_at: null,
    });
    const one = await gateway.get(`${path}/${body.id}`);
    expect([one.body, one.headers.get('etag')]).toEqual([body, '"1"']);
    expect(text + one.text).not.toContain('argon2');
    expect((await signIn('ada.lovelace@example.com', password)).status).toBe(201);
  });

  it('are invited without one, by a link that is shown once', async () => {
    const { body } = await gateway.post(path, person());
    expect(body).toMatchObject({ status: 'invited', link: expect.stringContaining(`${baseUrl}/admin/welcome?token=`) });
    const token = body.link.split('=')[1];
    const { db } = gateway.test.database;
    for (const table of ['access_links', 'audit_log', 'users'])
      expect(await db.query(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%' || $1 || '%'`, [token])).toEqual([]);
    expect((await gateway.get(`${path}/${body.id}`)).body).not.toHaveProperty('link');
  });

  it('are refused for what is wrong in them, and nothing is written', async () => {
    const taken = await gateway.make(path, person());
    const cases: [object, string, string][] = [
      [{ email: 'no address' }, 'email', 'format'],
      [{ email: `${'a'.repeat(250)}@example.com` }, 'email', 'max_length'],
      [{ name: ' ' }, 'name', 'required'],
      [{ scopes: [] }, 'scopes', 'min_length'],
      [{ scopes: undefined }, 'role', 'required'],
      [{ scopes: undefined, role: 'owner' }, 'role', 'enum'],
      [{ role: 'viewer' }, 'role', 'enum'],
      [{ password: 'x'.repeat(11) }, 'password', 'min_length'],
      [{ password: 'x'.repeat(257) }, 'password', 'max_length'],
    ];
    const before = await gateway.rows();
    for (const [over, field, constraint] of cases)
      expectError(await gateway.post(path, person(over)), 400, 'invalid_input', { field, constraint });
    expectError(await gateway.post(path, person({ email: taken.email.toUpperCase() })), 409, 'conflict', {
      field: 'email',
      constraint: 'exists',
    });
    expect(await gateway.rows()).toEqual(before);
  });

  it('get at most the scopes of the user who adds or changes them', async () => {
    const key = await gateway.makeKey(['admin', 'tasks:read']);
    const user = await gateway.make(path, person(), { key });
    expectError(await gateway.post(path, person({ scopes: ['events:read'] }), { key }), 403, 'forbidden');
    const body = JSON.stringify({ scopes: ['events:read'] });
    expectError(await gateway.send('PATCH', `${path}/${user.id}`, body, { key }), 403, 'forbidden');
    expect((await gateway.get(`${path}/${user.id}`)).body.scopes).toEqual(['tasks:read']);
  });

  it.each(userRoles)('may have the scopes of the role %s, and are found by it', async (role) => {
    await gateway.make(path, person({ scopes: ['admin'], password }));
    const user = await gateway.make(path, person({ scopes: undefined, role, password }));
    expect(user).toMatchObject({ role, scopes: roleScopes[role] });
    const listed = await gateway.get(`${path}?role=${role}&email=${user.email}`);
    expect(listed.body.data).toHaveLength(1);
    expect((await patch(user.id, { name: 'N', role: user.role, scopes: user.scopes })).status).toBe(200);
    expect((await patch(user.id, { scopes: ['tasks:read'] })).body.role).toBeNull();
    expect((await patch(user.id, { role })).body).toMatchObject({ role, scopes: roleScopes[role] });
  });

  it('have, as viewers, no scope that changes anything, and as members none to manage access', async () => {
    const enter = async (role: string) => {
      const { email } = await gateway.make(path, person({ scopes: undefined, role, password }));
      const { body, headers } = await signIn(email, password);
      const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      return { key: null, headers: { cookie, 'x-csrf-token': body.csrf_token as string } };
    };
    const [viewer, member] = [await enter('viewer'), await enter('member')];
    const task = { title: 't', description: 'd' };
    expect((await gateway.get('/v1/tasks', viewer)).status).toBe(200);
    expectError(await gateway.post('/v1/tasks', task, viewer), 403, 'forbidden');
    expect((await gateway.post('/v1/tasks', task, member)).status).toBe(201);
    for (const one of [viewer, member])
      for (const list of ['keys', 'clients', 'users', 'audit'])
        expectError(await gateway.get(`/admin/api/${list}`, one), 403, 'forbidden');
  });

  it('get a role only from users who have all of its scopes', async () => {
    const key = await gateway.makeKey(['admin', ...roleScopes.viewer]);
    expectError(await gateway.post(path, person({ scopes: undefined, role: 'member' }), { key }), 403, 'forbidden');
    const user = await gateway.make(path, person({ scopes: undefined, role: 'viewer' }), { key });
    expectError(await gateway.send('PATCH', `${path}/${user.id}`, '{"role":"admin"}', { key }), 403, 'forbidden');
  });

  it('get a new one-time link, which replaces the previous one', async () => {
    const user = await gateway.make(path, person());
    const { status, body } = await gateway.post(`${path}/${user.id}/link`, undefined);
    expect([status, body]).toEqual([200, { link: expect.stringContaining(`${baseUrl}/admin/welcome?token=`) }]);
    const statusOf = async (link: string) => (await fetch(gateway.address() + link.slice(baseUrl.length))).status;
    expect([await statusOf(user.link), await statusOf(body.link)]).toEqual([404, 200]);
    expectError(await gateway.post(`${path}/usr_nobody/link`, undefined), 404, 'not_found');
  });

  it('get no link from a user with fewer rights, who could sign in with it', async () => {
    const key = await gateway.makeKey(['admin', 'tasks:read']);
    const { id } = await gateway.make(path, person({ scopes: ['tasks:write'], password }));
    const rows = await gateway.rows();
    const response = await gateway.post(`${path}/${id}/link`, undefined, { key });
    expectError(response, 403, 'forbidden');
    expect(response.body.error.message).toContain('tasks:write');
    expect(await gateway.rows()).toEqual(rows);
  });

  it('change by PATCH, guarded by their version', async () => {
    const user = await gateway.make(path, person({ password }));
    const changed = await patch(user.id, { name: 'A. L.', password: 'quite another one' }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ name: 'A. L.', email: user.email, scopes: user.scopes });
    expectError(await patch(user.id, { name: 'late' }, { 'if-match': '"1"' }), 412, 'invalid_request', {
      field: 'If-Match',
      constraint: 'version',
    });
    expectError(await signIn(user.email, password), 401, 'unauthorized');
    expect((await signIn(user.email, 'quite another one')).status).toBe(201);
  });

  it('are gone after DELETE, and their address is free', async () => {
    const { id, email } = await gateway.make(path, person());
    expect((await remove(id)).status).toBe(204);
    for (const response of [await gateway.get(`${path}/${id}`), await remove(id), await patch(id, { name: 'n' })])
      expectError(response, 404, 'not_found');
    await gateway.make(path, person({ email }));
  });

  it('keep one admin at least', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(scopes, { tenantId });
    const admin = person({ scopes: ['admin'], password });
    const { id } = await gateway.make(path, admin, { key });
    const last = { field: 'scopes', constraint: 'state' };
    const one = `${path}/${id}`;
    expectError(await gateway.send('DELETE', one, undefined, { key }), 409, 'conflict', last);
    const less = JSON.stringify({ scopes: ['tasks:read'] });
    expectError(await gateway.send('PATCH', one, less, { key }), 409, 'conflict', last);
  });

  it('are listed by either paging, filtered and sorted by every field', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(scopes, { tenantId });
    const users: Json[] = [];
    for (const name of ['b', 'a', 'c']) users.push(await gateway.make(path, person({ name, password }), { key }));
    const read = async (query: string) => (await gateway.get(`${path}?${query}`, { key })).body;
    const names = (body: Json) => body.data.map((one: Json) => one.name);
    expect(names(await read(''))).toEqual(['c', 'a', 'b']);
    expect(names(await read('sort=name&limit=1&offset=1'))).toEqual(['b']);
    expect(names(await read(`sort=name&after=${users[1].id}`))).toEqual(['b', 'c']);
    expect(names(await read(`email=${users[0].email.toUpperCase()}`))).toEqual(['b']);
    const { scopes: _scopes, ...scalars } = users[1];
    for (const [field, value] of Object.entries(scalars)) {
      if (value !== null) {
        const found = await read(`${field}=${encodeURIComponent(String(value))}`);
        expect([field, names(found)]).toEqual([field, expect.arrayContaining(['a'])]);
      }
      expect((await read(`sort=-${field}`)).data).toHaveLength(3);
    }
  });
});
