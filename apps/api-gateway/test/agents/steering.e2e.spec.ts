import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const steer = (id: string, act: string, key?: string) => gateway.post(`/v1/agents/${id}/${act}`, {}, { key });
const read = async (path: string): Promise<Json> => (await gateway.get(path)).body;
const claim = (id: string) => gateway.post(`/v1/agents/${id}/claims`, {});
const notNow = { field: 'agent_id', constraint: 'state' };

let roles = 0;
/** An agent of a role of its own, and tasks of that role. */
async function setUp(tasks: number, over: object = {}) {
  const role = `steered-${(roles += 1)}`;
  const agent = await gateway.make('/v1/agents', { name: 'Ada', role, max_concurrent_tasks: 5, ...over });
  const task = (more: object = {}): Promise<Json> =>
    gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role, ...more });
  const made = [];
  for (let count = 0; count < tasks; count += 1) made.push(await task());
  return { id: agent.id as string, role, task, tasks: made };
}

/** As the planner does. */
const planFor = (taskId: string, agentId: string) =>
  gateway.test.database.db.query('UPDATE tasks SET assigned_agent = $3 WHERE tenant_id = $1 AND id = $2', [
    gateway.test.context().tenantId,
    taskId,
    agentId,
  ]);

describe('POST /v1/agents/{agent_id}/pause and /resume', () => {
  it('stop and resume claims of an agent; held tasks go on, and its plan stays', async () => {
    const { id, tasks } = await setUp(3);
    await planFor(tasks[1].id, id);
    const { lease } = (await claim(id)).body;
    const paused = await steer(id, 'pause');
    expect([paused.status, paused.body]).toMatchObject([200, { id, accepting: false, status: 'active' }]);
    const seen = { presence: expect.any(String), last_active: expect.any(String) };
    expect(await read(`/v1/agents/${id}`)).toEqual({ ...paused.body, ...seen });
    expectError(await claim(id), 409, 'conflict', notNow);
    expect((await read(`/v1/tasks/${tasks[1].id}`)).assigned_agent).toBe(id);
    const alive = await gateway.post(`/v1/leases/${lease.lease_id}/heartbeat`, { fencing_token: lease.fencing_token });
    expect(alive.status).toBe(200);
    const resumed = await steer(id, 'resume');
    expect([resumed.status, resumed.body.accepting]).toEqual([200, true]);
    expect((await claim(id)).status).toBe(200);
  });

  it('are the same when they come twice: the second writes nothing', async () => {
    const { id } = await setUp(0);
    for (const act of ['resume', 'pause']) {
      await steer(id, act);
      const rows = await gateway.rows();
      const again = await steer(id, act);
      expect([again.status, await gateway.rows()]).toEqual([200, rows]);
    }
  });

  it('show in the list and its filters', async () => {
    const { id, role } = await setUp(0);
    await steer(id, 'pause');
    const ids = async (query: string) =>
      (await read(`/v1/agents?role=${role}&${query}`)).data.map((one: Json) => one.id);
    expect([await ids('accepting=false'), await ids('accepting=true')]).toEqual([[id], []]);
    const bad = { field: 'accepting', constraint: 'enum' };
    expectError(await gateway.get('/v1/agents?accepting=maybe'), 400, 'invalid_request', bad);
    expectError(await gateway.get('/v1/agents?presence=away'), 400, 'invalid_request', {
      field: 'presence',
      constraint: 'enum',
    });
  });
});

describe('POST /v1/agents/{agent_id}/drain', () => {
  it('removes planned tasks, keeps those that are held or given by a person, and lets it finish', async () => {
    const { id, tasks, task } = await setUp(2);
    const { lease, task: held } = (await claim(id)).body;
    const planned = tasks.find((one) => one.id !== held.id);
    await planFor(planned.id, id);
    const pinned = await task({ assigned_agent: id });
    const drained = await steer(id, 'drain');
    expect([drained.status, drained.body]).toMatchObject([200, { accepting: false, current_tasks: [{}, {}] }]);
    const assignees = [held, planned, pinned].map(async (one) => (await read(`/v1/tasks/${one.id}`)).assigned_agent);
    expect(await Promise.all(assignees)).toEqual([id, null, id]);
    const [entry] = (await read(`/v1/tasks/${planned.id}/timeline?type=assignment`)).data;
    expect(entry).toMatchObject({ assigned_agent: null, reason: 'to be planned again' });
    const done = await gateway.post(`/v1/leases/${lease.lease_id}/complete`, { fencing_token: lease.fencing_token });
    expect(done.status).toBe(200);
    expectError(await claim(id), 409, 'conflict', notNow);
    expect((await read(`/v1/agents/${id}`)).status).toBe('idle');
  });
});

describe.each(['pause', 'resume', 'drain'])('POST /v1/agents/{agent_id}/%s', (act) => {
  it('is 404 for an unknown agent, and 403 without agents:write', async () => {
    const { id } = await setUp(0);
    const key = await gateway.makeKey(['agents:read', 'agent:self'], { agentId: id });
    const rows = await gateway.rows();
    expectError(await steer('agt_01ks0000000000000000000000', act), 404, 'not_found');
    expectError(await steer(id, act, key), 403, 'forbidden');
    expect(await gateway.rows()).toEqual(rows);
  });
});
