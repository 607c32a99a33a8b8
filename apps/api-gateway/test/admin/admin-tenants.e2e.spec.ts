import { sweepRemovedTenants } from '@eas/db';
import { createTaskBody, defaultTenantId, scopes } from '@eas/contracts';
import { createTask } from '@eas/tasks';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const path = '/admin/api/tenants';
const gateway = useGateway();
const { get, make, post } = gateway;
const change = (id: string, body: unknown, headers = {}) =>
  gateway.send('PATCH', `${path}/${id}`, JSON.stringify(body), { headers });
const remove = (id: string) => gateway.send('DELETE', `${path}/${id}`);
const suspend = (id: string, reason = 'The invoice is open.') => post(`${path}/${id}/suspend`, { reason });
const resume = (id: string) => post(`${path}/${id}/resume`, undefined);

let made = 0;
const slug = () => `tenant-${(made += 1)}`;
/** A tenant with a key of every scope. */
async function makeTenant(body: Json = {}) {
  const tenant = await make(path, { slug: slug(), ...body });
  return { ...tenant, key: await gateway.makeKey(scopes, { tenantId: tenant.id }) };
}
const state = { field: '', constraint: 'state' };
const eventsAbout = async (id: string) =>
  gateway.test.database.db
    .query<{ type: string }>(
      `SELECT event_type AS type FROM events WHERE tenant_id = $1 AND data ->> 'tenant_id' = $2 ORDER BY event_id`,
      [defaultTenantId, id],
    )
    .then((rows) => rows.map(({ type }) => type));

describe('a tenant', () => {
  it('is created with a link for its first administrator, who gets a page to set a password', async () => {
    const admin_email = `${slug()}@example.com`;
    const tenant = await make(path, { slug: slug(), plan: 'team', admin_email });
    expect(tenant).toMatchObject({ name: tenant.slug, plan: 'team', rate_limit: null, limits: {}, status: 'active' });
    const { pathname, search } = new URL(tenant.admin_link);
    const welcome = await fetch(`${gateway.address()}${pathname}${search}`);
    expect([welcome.status, await welcome.text()]).toEqual([200, expect.stringContaining(admin_email)]);
    expect((await get(`${path}/${tenant.id}`)).body).not.toHaveProperty('admin_link');
  });

  it('is refused with a slug that is taken or has another form, and nothing of it is made', async () => {
    const before = (await get(path)).body.metadata.total;
    const admin_email = `${slug()}@example.com`;
    await make('/admin/api/users', { email: admin_email, name: 'A', role: 'admin' });
    const exists = await post(path, { slug: 'default' });
    expectError(exists, 409, 'conflict', { field: 'slug', constraint: 'exists' });
    expectError(await post(path, { slug: slug(), admin_email }), 409, 'conflict', {
      field: 'email',
      constraint: 'exists',
    });
    const wrong = ['Upper', '1st', '', 'x'.repeat(64), 'a b'].map((one): Json => ({ slug: one }));
    wrong.push({ rate_limit: 0 }, { limits: { agents: -1 } }, { limits: { cats: 1 } }, { plan: '' });
    wrong.push({ retention: { audit_days: 29 } }, { retention: { receipt_days: 0 } }, { retention: { cat_days: 1 } });
    for (const fields of wrong) {
      const { status, body } = await post(path, { slug: slug(), ...fields });
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    }
    expect((await get(path)).body.metadata.total).toBe(before);
  });

  it('has limits of its own, which hold from then on, and others as the installation has them', async () => {
    const { id, key } = await makeTenant({ limits: { webhooks: 1 } });
    const addWebhook = () => post('/v1/webhooks', { url: 'https://example.com', events: ['*'] }, { key });
    expect((await addWebhook()).status).toBe(201);
    expectError(await addWebhook(), 409, 'conflict', { field: '', constraint: 'limit' });
    expect((await change(id, { limits: { agents: 5, webhooks: 2 } })).body.limits).toEqual({ agents: 5, webhooks: 2 });
    await eventually(async () => (await addWebhook()).status === 201);
    expect((await change(id, { limits: { webhooks: null } })).body.limits).toEqual({ agents: 5 });
    await eventually(async () => (await addWebhook()).status === 201);
  });

  it('keeps its rows for times of its own, until they are taken away', async () => {
    const { id, retention } = await makeTenant({ retention: { audit_days: 400 } });
    expect(retention).toEqual({ audit_days: 400 });
    const changed = await change(id, { retention: { receipt_days: 90 } });
    expect(changed.body.retention).toEqual({ receipt_days: 90, audit_days: 400 });
    expect((await change(id, { retention: { audit_days: null } })).body.retention).toEqual({ receipt_days: 90 });
    expect((await get(`${path}/${id}`)).body.retention).toEqual({ receipt_days: 90 });
  });

  it('has a rate of its own, which also limits the keys that its people make', async () => {
    const { id, key } = await makeTenant({ rate_limit: 500 });
    const mint = (rate_limit: number) =>
      post('/admin/api/keys', { name: 'k', scopes: ['tasks:read'], tier: 'enterprise', rate_limit }, { key });
    expectError(await mint(501), 403, 'forbidden');
    expect((await mint(500)).status).toBe(201);
    await change(id, { rate_limit: null });
    await eventually(async () => (await mint(501)).status === 201);
  });

  it('is listed, filtered by status and sorted by slug', async () => {
    const { id } = await makeTenant({ plan: 'listed' });
    await makeTenant({ plan: 'listed' });
    await suspend(id);
    const idsOf = async (query: string) =>
      (await get(`${path}?plan=listed&${query}`)).body.data.map((one: Json) => one.id);
    expect(await idsOf('status=suspended')).toEqual([id]);
    expect(await idsOf('status=active')).toHaveLength(1);
    expect((await idsOf('sort=-slug')).at(-1)).toBe(id);
    const first = (await get(`${path}?plan=listed&sort=status&limit=1&after=`)).body.pagination.next_cursor;
    expect(await idsOf(`sort=status&limit=1&after=${first}`)).toEqual([id]);
    expectError(await get(`${path}?status=gone`), 400, 'invalid_request', { field: 'status', constraint: 'enum' });
  });

  it('is changed only as the version that was read', async () => {
    const { id } = await makeTenant();
    const etag = (await get(`${path}/${id}`)).headers.get('etag') ?? '';
    expect((await change(id, { name: 'One' }, { 'if-match': etag })).status).toBe(200);
    expect((await change(id, { name: 'Two' }, { 'if-match': etag })).status).toBe(412);
    expect((await get(`${path}/${id}`)).body.name).toBe('One');
  });
});

describe('a suspended tenant', () => {
  it('has its callers refused with the reason, until it is resumed', async () => {
    const { id, key } = await makeTenant();
    expect((await get('/v1/tasks', { key })).status).toBe(200);
    expect((await suspend(id)).body).toMatchObject({ status: 'suspended', suspended_reason: 'The invoice is open.' });
    const message = async () => (await get('/v1/tasks', { key })).body.error?.message;
    await eventually(async () => (await message()) === 'The tenant is suspended: The invoice is open.');
    expectError(await post('/v1/tasks', { title: 't', description: 'd' }, { key }), 403, 'forbidden', state);
    await suspend(id, 'Abuse.');
    await eventually(async () => (await message()) === 'The tenant is suspended: Abuse.');
    expect((await resume(id)).body).toMatchObject({ status: 'active', suspended_at: null, suspended_reason: null });
    await eventually(async () => (await message()) === undefined);
    const all = ['created', 'suspended', 'suspended', 'resumed'].map((word) => `tenant.${word}`);
    expect(await eventsAbout(id)).toEqual(all);
  });

  it('ends its event streams, and a waiting claim gets no task', async () => {
    const { id, key } = await makeTenant();
    const agent = await make('/v1/agents', { name: 'Ada', role: 'rd', max_concurrent_tasks: 1 }, { key });
    const stream = await fetch(`${gateway.address()}/v1/events/stream`, { headers: { 'x-api-key': key } });
    expect(stream.status).toBe(200);
    const waiting = post(`/v1/agents/${agent.id}/claims`, { wait_seconds: 20 }, { key });
    await suspend(id);
    await stream.text();
    const ctx = gateway.test.context({ tenantId: id });
    const task = await createTask(
      ctx,
      createTaskBody.parse({ title: 't', description: 'd', assigned_agent: agent.id }),
    );
    expectError(await waiting, 403, 'forbidden', state);
    const [row] = await ctx.db.query<{ status: string }>('SELECT status FROM tasks WHERE tenant_id = $1 AND id = $2', [
      id,
      task.id,
    ]);
    expect(row?.status).not.toBe('in_progress');
  });

  it('has its webhooks kept, and sent to again when it is resumed', async () => {
    const { id, key } = await makeTenant();
    const webhook = await make('/v1/webhooks', { url: 'https://example.com', events: ['*'] }, { key });
    await suspend(id);
    const statusSql = 'SELECT status, status_reason AS reason FROM endpoints WHERE tenant_id = $1 AND id = $2';
    const read = async () => (await gateway.test.database.db.query(statusSql, [id, webhook.id]))[0];
    expect(await read()).toEqual({ status: 'paused', reason: 'tenant_suspended' });
    await resume(id);
    expect(await read()).toEqual({ status: 'active', reason: null });
  });

  it('lets none of its people sign in, and says why', async () => {
    const { id, key } = await makeTenant();
    const [email, password] = [`${slug()}@example.com`, 'a long enough password'];
    await make('/admin/api/users', { email, name: 'Ada', role: 'admin', password }, { key });
    await suspend(id);
    const signIn = (given: string) => post('/admin/api/session', { email, password: given }, { key: null });
    expectError(await signIn(password), 403, 'forbidden', state);
    expectError(await signIn('another password'), 401, 'unauthorized');
    await resume(id);
    expect((await signIn(password)).status).toBe(201);
  });

  it('lets its people sign out, and do nothing else', async () => {
    const { id, key } = await makeTenant();
    const [email, password] = [`${slug()}@example.com`, 'a long enough password'];
    await make('/admin/api/users', { email, name: 'Ada', role: 'admin', password }, { key });
    const { body, headers } = await post('/admin/api/session', { email, password }, { key: null });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    await suspend(id);
    const by = { key: null, headers: { cookie, 'x-csrf-token': body.csrf_token } };
    await eventually(async () => (await get('/admin/api/session', by)).status === 403);
    expectError(await post('/admin/api/session/password', { current_password: password }, by), 403, 'forbidden', state);
    expect((await gateway.send('DELETE', '/admin/api/session', undefined, by)).status).toBe(204);
    const { length } = await gateway.test.database.db.query('SELECT 1 FROM sessions WHERE tenant_id = $1', [id]);
    expect(length).toBe(0);
  });

  it('is never that of the operator', async () => {
    expectError(await suspend(defaultTenantId), 409, 'conflict', state);
    expect((await get('/v1/tasks')).status).toBe(200);
  });
});

describe('the deletion of a tenant', () => {
  it('removes a suspended tenant with all that is its own, and tells the operator', async () => {
    const { id, key } = await makeTenant();
    await make('/v1/webhooks', { url: 'https://example.com', events: ['*'] }, { key });
    expectError(await remove(id), 409, 'conflict', state);
    await suspend(id);
    await gateway.test.database.db.query(
      `INSERT INTO analytics_throughput (tenant_id, grain, at, role, created)
       VALUES ($1, 'day', date_trunc('day', app_now(), 'UTC'), '', 3)`,
      [id],
    );
    expect((await remove(id)).body.status).toBe('deleting');
    expect([(await remove(id)).status, (await resume(id)).status, (await change(id, { name: 'n' })).status]).toEqual([
      202, 409, 409,
    ]);
    await sweepRemovedTenants(gateway.test.context(), new AbortController().signal);
    expectError(await get(`${path}/${id}`), 404, 'not_found');
    await eventually(async () => (await get('/v1/tasks', { key })).status === 401);
    expect((await eventsAbout(id)).slice(-2)).toEqual(['tenant.usage_recorded', 'tenant.deleted']);
  });
});

describe('tenants', () => {
  it('are read and changed only by the operator', async () => {
    const { id, key } = await makeTenant();
    for (const response of [
      await get(path, { key }),
      await get(`${path}/${id}`, { key }),
      await post(path, { slug: slug() }, { key }),
      await gateway.send('PATCH', `${path}/${id}`, '{"name":"x"}', { key }),
      await gateway.send('DELETE', `${path}/${id}`, undefined, { key }),
      await post(`${path}/${id}/suspend`, { reason: 'x' }, { key }),
      await post(`${path}/${id}/resume`, undefined, { key }),
    ])
      expectError(response, 403, 'forbidden');
    expectError(await get(`${path}/tnt_nothing`), 404, 'not_found');
    expectError(await suspend('tnt_nothing'), 404, 'not_found');
  });
});
