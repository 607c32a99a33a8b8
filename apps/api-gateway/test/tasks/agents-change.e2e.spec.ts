import { describe, expect, it } from '@jest/globals';
import { type CallOptions, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const patch = (id: string, body: unknown, options?: CallOptions) =>
  gateway.send('PATCH', `/v1/agents/${id}`, JSON.stringify(body), options);
const remove = (id: string, options?: CallOptions) => gateway.send('DELETE', `/v1/agents/${id}`, undefined, options);
const read = (id: string) => gateway.get(`/v1/agents/${id}`);
const ifMatch = (etag: string | null) => ({ headers: { 'if-match': etag ?? '' } });
const claim = (id: string, key?: string) => gateway.post(`/v1/agents/${id}/claims`, {}, { key });
const complete = ({ body: { lease } }: { body: Json }, over: object = {}) =>
  gateway.post(`/v1/leases/${lease.lease_id}/complete`, { fencing_token: lease.fencing_token, ...over });

let roles = 0;
const newRole = () => `role-${(roles += 1)}`;
const hire = (role: string, over: object = {}): Promise<Json> =>
  gateway.make('/v1/agents', { name: 'Ada', role, ...over });
const makeTask = (role: string, over: object = {}): Promise<Json> =>
  gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role, ...over });

describe('PATCH /v1/agents/{agent_id}', () => {
  it('changes every field and returns the agent as GET shows it', async () => {
    const { id } = await hire(newRole());
    const sent = { name: 'Eve', role: newRole(), capabilities: ['sql'] };
    const response = await patch(id, { ...sent, max_concurrent_tasks: 2 });
    expect([response.status, response.body]).toMatchObject([200, { id, ...sent }]);
    const again = await read(id);
    expect([again.body, again.headers.get('etag')]).toEqual([response.body, response.headers.get('etag')]);
    for (const _ of [1, 2]) {
      await makeTask(sent.role);
      expect((await claim(id)).status).toBe(200);
    }
    expectError(await claim(id), 409, 'conflict', { field: 'agent_id', constraint: 'limit' });
  });

  it('writes nothing when nothing differs, and gives defaults for null', async () => {
    const made = await gateway.post('/v1/agents', { name: 'Ada', role: newRole(), capabilities: ['sql'] });
    const { id } = made.body;
    const rows = await gateway.rows();
    for (const body of [{}, (await read(id)).body, { name: 'Ada' }])
      expect((await patch(id, body)).headers.get('etag')).toBe(made.headers.get('etag'));
    expect(await gateway.rows()).toEqual(rows);
    const { body } = await patch(id, { capabilities: null, max_concurrent_tasks: null });
    expect(body.capabilities).toEqual([]);
  });

  it.each([
    ['name', 'required', { name: null }],
    ['name', 'max_length', { name: 'x'.repeat(201) }],
    ['role', 'required', { role: null }],
    ['role', 'pattern', { role: '1' }],
    ['capabilities', 'max_length', { capabilities: Array(51).fill('a') }],
    ['capabilities.0', 'required', { capabilities: [''] }],
    ['max_concurrent_tasks', 'min', { max_concurrent_tasks: 0 }],
    ['max_concurrent_tasks', 'max', { max_concurrent_tasks: 101 }],
    ['tenant', 'unknown_field', { tenant: 'x' }],
  ])('refuses a %s that breaks %s and changes nothing', async (field, constraint, body) => {
    const { id } = await hire(newRole());
    const rows = await gateway.rows();
    expectError(await patch(id, { capabilities: ['b'], ...body }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('gives an agent another role only while it has no tasks', async () => {
    const role = newRole();
    const { id } = await hire(role);
    const task = await makeTask(role, { assigned_agent: id });
    const state = { field: 'role', constraint: 'state' };
    expectError(await patch(id, { role: newRole(), name: 'Eve' }), 409, 'conflict', state);
    expect((await patch(id, { role, name: 'Eve' })).body).toMatchObject({ role, name: 'Eve' });
    await gateway.send('DELETE', `/v1/tasks/${task.id}`);
    expect((await patch(id, { role: newRole() })).status).toBe(200);
  });

  it('lets an agent finish what it holds when it may hold less: it is busy and claims nothing until then', async () => {
    const role = newRole();
    const { id } = await hire(role, { max_concurrent_tasks: 3 });
    for (const _ of [1, 2, 3]) await makeTask(role);
    const [first, second] = [await claim(id), await claim(id)];
    expect((await read(id)).body.status).toBe('active');
    const { body } = await patch(id, { max_concurrent_tasks: 1 });
    expect([body.status, body.current_tasks]).toMatchObject(['busy', [{ id: first.body.task.id }, {}]]);
    const full = { field: 'agent_id', constraint: 'limit' };
    expectError(await claim(id), 409, 'conflict', full);
    expect((await complete(first)).status).toBe(200);
    expect((await read(id)).body.status).toBe('busy');
    expectError(await claim(id), 409, 'conflict', full);
    expect((await complete(second)).status).toBe(200);
    expect((await read(id)).body).toMatchObject({ status: 'idle', stats: { tasks_completed: 2 } });
    expect((await claim(id)).status).toBe(200);
  });

  it('heeds If-Match: exactly one of two changes at once wins', async () => {
    const { id } = await hire(newRole());
    const responses = await Promise.all(['a', 'b'].map((name) => patch(id, { name }, ifMatch('"1"'))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const stale = { field: 'If-Match', constraint: 'version' };
    expectError(await remove(id, ifMatch('"1"')), 412, 'invalid_request', stale);
    expect((await read(id)).status).toBe(200);
  });
});

describe('DELETE /v1/agents/{agent_id}', () => {
  it('opens the tasks of the agent, and frees those that were planned for it or pinned to it', async () => {
    const role = newRole();
    const [ada, bo] = [await hire(role, { max_concurrent_tasks: 2 }), await hire(role, { max_concurrent_tasks: 9 })];
    const held = await makeTask(role);
    const { lease } = (await claim(ada.id)).body;
    const pinned = await makeTask(role, { assigned_agent: ada.id });
    const done = await makeTask(role, { assigned_agent: ada.id });
    await gateway.send('PATCH', `/v1/tasks/${done.id}`, '{"status":"completed"}');
    expect(await remove(ada.id)).toMatchObject({ status: 204, body: undefined });
    for (const id of [held.id, pinned.id])
      expect((await gateway.get(`/v1/tasks/${id}`)).body.assigned_agent).toBeNull();
    expect((await gateway.get(`/v1/tasks/${done.id}`)).body.assigned_agent).toBe(ada.id);
    const late = await gateway.post(`/v1/leases/${lease.lease_id}/complete`, { fencing_token: lease.fencing_token });
    expectError(late, 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    const claimed = [await claim(bo.id), await claim(bo.id)].map(({ body }) => body.task.id);
    expect(claimed.toSorted()).toEqual([held.id, pinned.id].toSorted());
  });

  it('is 404 afterwards, for every call that names the agent', async () => {
    const { id, role } = await hire(newRole());
    await remove(id);
    for (const response of [await read(id), await remove(id), await patch(id, {}), await claim(id)])
      expectError(response, 404, 'not_found');
    expect((await gateway.get(`/v1/agents?role=${role}`)).body.data).toEqual([]);
    const bad = { field: 'assigned_agent', constraint: 'format' };
    const task = { title: 't', description: 'd', assigned_agent: id };
    expectError(await gateway.post('/v1/tasks', task), 400, 'invalid_input', bad);
  });

  it('revokes the keys of the agent', async () => {
    const { id } = await hire(newRole());
    const key = await gateway.makeKey(['agent:self'], { agentId: id });
    expect((await claim(id, key)).status).toBe(204);
    await remove(id);
    const sql = 'SELECT count(*) AS n FROM api_keys WHERE agent_id = $1 AND revoked_at IS NULL';
    expect(await gateway.test.database.db.query(sql, [id])).toEqual([{ n: 0 }]);
  });

  it('assigns a reopened task of the agent to others', async () => {
    const role = newRole();
    const [ada, bo] = [await hire(role), await hire(role)];
    const { id } = await makeTask(role, { assigned_agent: ada.id });
    await gateway.send('DELETE', `/v1/tasks/${id}`);
    await remove(ada.id);
    expect((await gateway.post(`/v1/tasks/${id}/retry`, undefined)).body.assigned_agent).toBeNull();
    expect((await claim(bo.id)).body.task.id).toBe(id);
  });

  it('at once with a claim leaves no task with an agent that is gone', async () => {
    for (let round = 0; round < 8; round += 1) {
      const role = newRole();
      const { id } = await hire(role, { max_concurrent_tasks: 3 });
      const tasks = [await makeTask(role), await makeTask(role), await makeTask(role, { assigned_agent: id })];
      const responses = await Promise.all([claim(id), remove(id), claim(id), claim(id)]);
      expect(responses.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
      for (const task of tasks)
        expect((await gateway.get(`/v1/tasks/${task.id}`)).body).toMatchObject({ assigned_agent: null });
    }
  });

  it('removes no agent of another tenant', async () => {
    const { id } = await hire(newRole());
    const key = await gateway.makeKey(['agents:write'], { tenantId: await gateway.test.createTenant() });
    expectError(await remove(id, { key }), 404, 'not_found');
    expectError(await patch(id, { name: 'x' }, { key }), 404, 'not_found');
    expect((await read(id)).status).toBe(200);
  });
});
