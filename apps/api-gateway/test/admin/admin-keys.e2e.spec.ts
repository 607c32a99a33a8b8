import { type Scope, scopes } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, rateCeiling, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/keys';
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `${path}/${id}`, JSON.stringify(body), { headers });
const remove = (id: string, headers: Record<string, string> = {}) =>
  gateway.send('DELETE', `${path}/${id}`, undefined, { headers });
const makeKey = (over: object = {}) => gateway.make(path, { name: 'CI', scopes: ['tasks:read'], ...over });
const tasksWith = async (key: string) => (await gateway.get('/v1/tasks', { key })).status;

describe('API keys', () => {
  it('are made with all their fields, shown once, and work at once', async () => {
    const sent = { name: 'CI', scopes: ['tasks:read'], tier: 'basic', expires_at: '2099-01-01T00:00:00Z' };
    const { status, body, headers } = await gateway.post(path, sent);
    const { key, ...shown } = body;
    expect([status, headers.get('location')]).toEqual([201, `${baseUrl}${path}/${body.id}`]);
    expect(shown).toEqual({
      ...sent,
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      prefix: key.slice(0, 13),
      last_four: key.slice(-4),
      rate_limit: null,
      agent_id: null,
      status: 'active',
      created_by: expect.stringMatching(/^key_/),
      created_at: expect.any(String),
      updated_at: body.created_at,
      last_used_at: null,
    });
    expect(key).toMatch(/^eas_live_[0-9A-Za-z]{38}$/);
    const one = await gateway.get(`${path}/${body.id}`);
    expect([one.status, one.body, one.headers.get('etag')]).toEqual([200, shown, '"1"']);
    expect(one.text + (await gateway.get(path)).text).not.toContain(key.slice(9));
    const response = await gateway.get('/v1/tasks', { key });
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '60']);
  });

  it('are refused for what is wrong in them, and nothing is made', async () => {
    const good = { name: 'CI', scopes: ['tasks:read'] };
    const cases: [object, string, string][] = [
      [{ name: '' }, 'name', 'required'],
      [{ scopes: [] }, 'scopes', 'min_length'],
      [{ scopes: ['tasks:all'] }, 'scopes.0', 'enum'],
      [{ tier: 'gold' }, 'tier', 'enum'],
      [{ rate_limit: 0 }, 'rate_limit', 'min'],
      [{ rate_limit: 1_000_000_001 }, 'rate_limit', 'max'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'min'],
      [{ expires_at: 'tomorrow' }, 'expires_at', 'format'],
      [{ agent_id: 'agt_nobody' }, 'agent_id', 'format'],
      [{ key: 'eas_live_mine' }, 'key', 'unknown_field'],
    ];
    const before = await gateway.rows();
    for (const [over, field, constraint] of cases)
      expectError(await gateway.post(path, { ...good, ...over }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('have at most the scopes of their creator', async () => {
    const key = await gateway.makeKey(['admin', 'tasks:read']);
    const made = await gateway.post(path, { name: 'k', scopes: ['tasks:read'] }, { key });
    expect(made.status).toBe(201);
    const response = await gateway.post(path, { name: 'k', scopes: ['tasks:read', 'events:read'] }, { key });
    expectError(response, 403, 'forbidden');
    expect(response.body.error.message).toContain('events:read');
  });

  it('have at most the rate limit of their creator or editor, and of their tier', async () => {
    const key = await gateway.makeKey(['admin', 'tasks:read'], { rateLimit: 100 });
    const ask = { name: 'k', scopes: ['tasks:read'] };
    const makes = (body: object) => gateway.post(path, { ...ask, ...body }, { key });
    for (const body of [{}, { tier: 'enterprise' }, { rate_limit: 101 }, { tier: 'enterprise', rate_limit: 101 }])
      expectError(await makes(body), 403, 'forbidden');
    for (const body of [{ rate_limit: 100 }, { tier: 'basic' }]) expect((await makes(body)).status).toBe(201);
    const ofTier = { field: 'rate_limit', constraint: 'max' };
    expectError(await gateway.post(path, { ...ask, tier: 'standard', rate_limit: 301 }), 400, 'invalid_input', ofTier);
    expectError(await gateway.post(path, { ...ask, tier: 'basic', rate_limit: 61 }), 400, 'invalid_input', ofTier);
    const tooMany = { ...ask, tier: 'enterprise', rate_limit: rateCeiling + 1 };
    expectError(await gateway.post(path, tooMany), 403, 'forbidden');
    const { id } = await makeKey({ rate_limit: 50 });
    const changes = (body: object) => gateway.send('PATCH', `${path}/${id}`, JSON.stringify(body), { key });
    expectError(await changes({ rate_limit: 101 }), 403, 'forbidden');
    expectError(await changes({ rate_limit: null }), 403, 'forbidden');
    expect((await changes({ rate_limit: 100, name: 'n' })).status).toBe(200);
    expectError(await patch(id, { rate_limit: 301 }), 400, 'invalid_input', ofTier);
  });

  it('are made once under an idempotency key, and the text comes back with it', async () => {
    const options = { headers: { 'idempotency-key': 'make-one-key' } };
    const body = { name: 'once', scopes: ['tasks:read'] };
    const [first, again] = [await gateway.post(path, body, options), await gateway.post(path, body, options)];
    expect(again.body).toEqual(first.body);
    expect((await gateway.get(`${path}?name=once`)).body.metadata.total).toBe(1);
  });

  it('change by PATCH at once, guarded by their version', async () => {
    const { id, key } = await makeKey();
    expect(await tasksWith(key)).toBe(200);
    const changed = await patch(id, { scopes: ['events:read'], rate_limit: 5, name: 'n' }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ scopes: ['events:read'], rate_limit: 5, name: 'n', tier: 'standard' });
    await eventually(async () => (await tasksWith(key)) === 403);
    const stale = await patch(id, { name: 'late' }, { 'if-match': '"1"' });
    expectError(stale, 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
    const cleared = await patch(id, { rate_limit: null });
    expect(cleared.body).toMatchObject({ rate_limit: null, name: 'n' });
  });

  it('may be sent back as they were read', async () => {
    const { key, ...read } = await makeKey();
    expect(key).toBeDefined();
    const response = await patch(read.id, { ...read, name: 'renamed' });
    expect([response.status, response.body.name]).toEqual([200, 'renamed']);
  });

  it('rotate with an overlap in which both texts work', async () => {
    const { id, key: old } = await makeKey();
    const rotated = await gateway.post(`${path}/${id}/rotate`, { overlap_seconds: 600 });
    expect([rotated.status, rotated.body.id]).toEqual([200, id]);
    expect(await Promise.all([old, rotated.body.key].map(tasksWith))).toEqual([200, 200]);
    const again = await gateway.post(`${path}/${id}/rotate`, {});
    for (const ended of [old, rotated.body.key]) await eventually(async () => (await tasksWith(ended)) === 401);
    expect(await tasksWith(again.body.key)).toBe(200);
    for (const [seconds, constraint] of [
      [-1, 'min'],
      [604_801, 'max'],
      ['1', 'type'],
    ])
      expectError(await gateway.post(`${path}/${id}/rotate`, { overlap_seconds: seconds }), 400, 'invalid_input', {
        field: 'overlap_seconds',
        constraint,
      });
  });

  it('are revoked by DELETE for good, and stay listed', async () => {
    const { id, key } = await makeKey();
    expect(await tasksWith(key)).toBe(200);
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    await eventually(async () => (await tasksWith(key)) === 401);
    expect((await remove(id)).status).toBe(204);
    expect((await gateway.get(`${path}/${id}`)).body.status).toBe('revoked');
    expect((await gateway.get(`${path}?id=${id}`)).body.data).toHaveLength(1);
    expectError(await patch(id, { name: 'n' }), 409, 'conflict', { field: 'status', constraint: 'state' });
  });

  it('record when they were last used', async () => {
    const { id, key } = await makeKey();
    await tasksWith(key);
    const lastUsed = async () => (await gateway.get(`${path}/${id}`)).body.last_used_at;
    await eventually(async () => (await lastUsed()) !== null);
  });

  it('are listed newest first, by either paging, filtered and sorted by every field', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(scopes, { tenantId });
    const read = async (query: string) => (await gateway.get(`${path}?${query}`, { key })).body;
    const made: Json[] = [];
    for (const name of ['b', 'a', 'c'])
      made.push(await gateway.make(path, { name, scopes: ['tasks:read'], rate_limit: 7 }, { key }));
    const names = (body: Json) => body.data.map((one: Json) => one.name);
    expect(names(await read(''))).toEqual(['c', 'a', 'b', 'test']);
    expect(names(await read('sort=name&rate_limit=7'))).toEqual(['a', 'b', 'c']);
    const first = await read('after=&limit=2&sort=name&rate_limit=7');
    expect(first.pagination).toEqual({ total_count: 3, limit: 2, has_more: true, next_cursor: expect.any(String) });
    expect(names(await read(`after=${made[0].id}&limit=2&sort=name&rate_limit=7`))).toEqual(['c']);
    const { id, key: _text, scopes: _scopes, ...scalars } = made[1];
    for (const [field, value] of Object.entries(scalars)) {
      if (value !== null) {
        const found = await read(`${field}=${encodeURIComponent(String(value))}&limit=100`);
        expect([field, found.data.map((one: Json) => one.id)]).toEqual([field, expect.arrayContaining([id])]);
      }
      expect((await read(`sort=-${field}`)).data).toHaveLength(4);
    }
    expectError(await gateway.get(`${path}?status=gone`, { key }), 400, 'invalid_request', {
      field: 'status',
      constraint: 'enum',
    });
  });
});

describe('POST /v1/agents/{agent_id}/keys', () => {
  const agentPath = async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'rd' });
    return { agent, keysPath: `/v1/agents/${agent.id}/keys` };
  };

  it('makes a key that works as the agent and can do nothing else', async () => {
    const { agent, keysPath } = await agentPath();
    const { key, ...shown } = await gateway.make(keysPath, { name: 'Ada at work', tier: 'basic' });
    expect(shown).toMatchObject({ agent_id: agent.id, scopes: ['agent:self'], tier: 'basic', rate_limit: null });
    const claim = await gateway.post(`/v1/agents/${agent.id}/claims`, {}, { key });
    expect([200, 204]).toContain(claim.status);
    const other = await gateway.make('/v1/agents', { name: 'Bob', role: 'rd' });
    expectError(await gateway.post(`/v1/agents/${other.id}/claims`, {}, { key }), 403, 'forbidden');
    expectError(await gateway.get('/v1/tasks', { key }), 403, 'forbidden');
  });

  it('is 404 for an unknown agent and takes no scopes', async () => {
    const { keysPath } = await agentPath();
    expectError(await gateway.post('/v1/agents/agt_nobody/keys', { name: 'k' }), 404, 'not_found');
    expectError(await gateway.post(keysPath, { name: 'k', scopes: ['admin'] }), 400, 'invalid_input', {
      field: 'scopes',
      constraint: 'unknown_field',
    });
  });

  it('requires agent:self of non-admins, and at most their own rate limit', async () => {
    const { keysPath } = await agentPath();
    const without = await gateway.makeKey(['agents:write']);
    expectError(await gateway.post(keysPath, { name: 'k' }, { key: without }), 403, 'forbidden');
    const key = await gateway.makeKey(['agents:write', 'agent:self'], { rateLimit: 100 });
    expectError(await gateway.post(keysPath, { name: 'k' }, { key }), 403, 'forbidden');
    expectError(await gateway.post(keysPath, { name: 'k', rate_limit: 101 }, { key }), 403, 'forbidden');
    for (const body of [{ rate_limit: 100 }, { tier: 'basic' }])
      expect((await gateway.post(keysPath, { name: 'k', ...body }, { key })).status).toBe(201);
  });

  it('lets an agent create keys of itself only, unless its key has the scope admin', async () => {
    const [own, other] = [await agentPath(), await agentPath()];
    const keyOf = (given: readonly Scope[]) => gateway.makeKey(given, { agentId: own.agent.id });
    const statusOf = async (path: string, key: string) =>
      (await gateway.post(path, { name: 'k', tier: 'basic' }, { key })).status;
    const key = await keyOf(['agents:write', 'agent:self']);
    expect([await statusOf(own.keysPath, key), await statusOf(other.keysPath, key)]).toEqual([201, 403]);
    expect(await statusOf(other.keysPath, await keyOf(['agents:write', 'admin']))).toBe(201);
  });
});
