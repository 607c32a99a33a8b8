// Part of rest.test.ts: what admins and operators manage.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { api, clientWith, done, ok, path, refused, until } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testAdministration = (run: string) =>
  describe('administration', () => {
    it('of keys: made, shown once, rotated, revoked', async () => {
      const made = await ok(api.POST('/admin/api/keys', { body: { name: 'CI', scopes: ['tasks:read'] } }), 201);
      const one = path('key_id', made.id);
      await ok(clientWith({ 'X-API-Key': made.key }).GET('/v1/tasks'));
      assert.equal('key' in (await ok(api.GET('/admin/api/keys/{key_id}', one))), false);
      await ok(api.GET('/admin/api/keys', { params: { query: { limit: 2 } } }));
      await ok(api.PATCH('/admin/api/keys/{key_id}', { ...one, body: { name: 'CI 2' } }));
      await ok(api.POST('/admin/api/keys/{key_id}/rotate', { ...one, body: {} }));
      await done(api.DELETE('/admin/api/keys/{key_id}', one));
      await refused(clientWith({ 'X-API-Key': made.key }).GET('/v1/tasks'), 401);
    });

    it('of OAuth clients', async () => {
      const body = {
        name: 'Shop',
        redirect_uris: ['https://shop.example.com/callback'],
        scopes: ['tasks:read' as const],
      };
      const made = await ok(api.POST('/admin/api/clients', { body }), 201);
      const one = path('client_id', made.id);
      await ok(api.GET('/admin/api/clients'));
      await ok(api.GET('/admin/api/clients/{client_id}', one));
      await ok(api.PATCH('/admin/api/clients/{client_id}', { ...one, body: { name: 'Shop 2' } }));
      await ok(api.POST('/admin/api/clients/{client_id}/rotate-secret', one));
      await done(api.DELETE('/admin/api/clients/{client_id}', one));
    });

    it('of people, and what was done', async () => {
      const body = { email: `grace-${run}@example.com`, name: 'Grace', scopes: ['tasks:read' as const] };
      const made = await ok(api.POST('/admin/api/users', { body }), 201);
      const one = path('user_id', made.id);
      await ok(api.GET('/admin/api/users'));
      await ok(api.GET('/admin/api/users/{user_id}', one));
      await ok(api.PATCH('/admin/api/users/{user_id}', { ...one, body: { name: 'Grace H.' } }));
      await ok(api.POST('/admin/api/users/{user_id}/link', one));
      await done(api.DELETE('/admin/api/users/{user_id}', one));
      const audit = await ok(api.GET('/admin/api/audit', { params: { query: { limit: 5 } } }));
      assert.ok(audit.data.length > 0);
    });

    it('of what a caller keeps by name', async () => {
      const body = { kind: 'task_view' as const, name: `Urgent ${run}`, data: { priority: 'critical' } };
      const made = await ok(api.POST('/admin/api/views', { body }), 201);
      assert.ok((await ok(api.GET('/admin/api/views'))).data.some(({ id }) => id === made.id));
      await done(api.DELETE('/admin/api/views/{view_id}', path('view_id', made.id)));
    });

    it('of what the IDs of callers are called', async () => {
      const made = await ok(api.POST('/admin/api/keys', { body: { name: 'Named', scopes: ['tasks:read'] } }), 201);
      await done(api.DELETE('/admin/api/keys/{key_id}', path('key_id', made.id)));
      const { data } = await ok(api.GET('/admin/api/names', { params: { query: { ids: made.id } } }));
      assert.deepEqual(data, [{ id: made.id, kind: 'api_key', name: 'Named', is_removed: true }]);
    });

    it('of the system, by its operator', async () => {
      await ok(api.GET('/admin/api/system'));
      await ok(api.GET('/admin/api/system/dead-events'));
      assert.equal((await ok(api.POST('/admin/api/system/dead-events/retry', { body: {} }))).retried, 0);
    });

    it('of tenants, by their operator', async () => {
      const body = { slug: `acme-${run}`, plan: 'team', admin_email: `admin-${run}@example.com` };
      const made = await ok(api.POST('/admin/api/tenants', { body }), 201);
      assert.match(made.admin_link ?? '', /token=/);
      const one = path('tenant_id', made.id);
      await ok(api.GET('/admin/api/tenants', { params: { query: { status: 'active' } } }));
      assert.equal((await ok(api.GET('/admin/api/tenants/{tenant_id}', one))).status, 'active');
      const change = { ...one, body: { plan: null, limits: { agents: 5 } } };
      assert.deepEqual((await ok(api.PATCH('/admin/api/tenants/{tenant_id}', change))).limits, { agents: 5 });
      const suspend = () => api.POST('/admin/api/tenants/{tenant_id}/suspend', { ...one, body: { reason: 'Unpaid.' } });
      assert.equal((await ok(suspend())).suspended_reason, 'Unpaid.');
      assert.equal((await ok(api.POST('/admin/api/tenants/{tenant_id}/resume', one))).status, 'active');
      await ok(suspend());
      assert.equal((await ok(api.DELETE('/admin/api/tenants/{tenant_id}', one), 202)).status, 'deleting');
      await until(async () => (await api.GET('/admin/api/tenants/{tenant_id}', one)).response.status === 404);
    });

    it('of what tenants use, by its operator', async () => {
      const query = { month: new Date().toISOString().slice(0, 7) };
      const listed = { params: { query: { ...query, sort: '-events' as const } } };
      await until(async () => (await ok(api.GET('/admin/api/usage', listed))).data.length > 0);
      const exported = { params: { query }, parseAs: 'text' as const };
      assert.match(await ok(api.GET('/admin/api/usage.csv', exported)), /^tenant_id,slug,name,month,/);
      assert.ok((await ok(api.GET('/v1/usage'))).data.length > 0);
    });

    it('by a person who signed in', async () => {
      const { ADMIN_EMAIL: email = '', ADMIN_PASSWORD: password = '' } = process.env;
      const signIn = await api.POST('/admin/api/session', { body: { email, password } });
      const session = await ok(Promise.resolve(signIn), 201);
      const cookie = signIn.response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const person = clientWith({ Cookie: cookie });
      assert.equal((await ok(person.GET('/admin/api/session'))).user.email, email);
      await refused(person.DELETE('/admin/api/session'), 403);
      const changing = clientWith({ Cookie: cookie, 'X-CSRF-Token': session.csrf_token });
      const body = { current_password: password, new_password: password };
      await done(changing.POST('/admin/api/session/password', { body }));
      await done(changing.DELETE('/admin/api/session'));
      await until(async () => (await person.GET('/admin/api/session')).response.status === 401);
    });
  });
