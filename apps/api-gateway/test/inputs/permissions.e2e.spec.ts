import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { agentScene, eventsOf } from './agent-scene.ts';

const gateway = useGateway();
const answer = (input: Json, body: object) => gateway.post(`/v1/inputs/${input.id}/answer`, body);
const rule = (action: string, tool: string, pattern = '*') => ({ action, tool, pattern });
const push = { tool: 'execute', name: 'Bash', title: 'Push', command: 'git push' };
const edit = (after: string) => ({
  tool: 'edit',
  title: 'Edit a.ts',
  diff: [{ path: 'a.ts', old_text: 'old', new_text: after }],
});
let calls = 0;

/** An agent whose role has a policy of these rules, and a lease of it. */
async function setUp(rules: object[], task: object = {}) {
  const scene = await agentScene(gateway, { max_concurrent_tasks: 5 });
  const policy = await gateway.make('/v1/policies', { role: scene.role, rules });
  const held = await scene.hold(task);
  const request = (permission: object, { callId = `call_${(calls += 1)}`, lease = held.lease }: Json = {}) =>
    scene.call(lease, 'permissions', { call_id: callId, permission });
  const remembered = async (id = held.task.id): Promise<Json[]> =>
    (await gateway.get(`/v1/tasks/${id}/permissions`)).body.data;
  return { ...scene, ...held, policy, request, remembered };
}
const allowed = { decision: 'allow', reason: null, input: null };

describe('a request for permission', () => {
  it('is allowed without a rule that fits, and rejected with a reason by one that denies: nothing is written', async () => {
    const { request, call, lease, task } = await setUp([rule('deny', 'execute', 'git push*'), rule('allow', '*')]);
    await call(lease, 'heartbeat');
    const written = async () => ({ ...(await gateway.rows()), leases: undefined });
    const before = await written();
    const denied = await request(push);
    expect(denied.body).toMatchObject({ decision: 'reject', input: null, expires_at: expect.any(String) });
    expect(denied.body.reason).toContain('execute, git push*');
    expect((await request({ ...push, command: 'git status' })).body).toMatchObject(allowed);
    expect(await written()).toEqual(before);
    expect((await gateway.get(`/v1/tasks/${task.id}`)).body.status).toBe('in_progress');
  });

  it('where a policy says ask parks the lease, and one call gets the answer of a person once', async () => {
    const { request, call, lease, task, readTask } = await setUp([rule('ask', 'execute')]);
    const asked = await request(push, { callId: 'first' });
    expect(asked.body).toMatchObject({ decision: 'ask', reason: null, expires_at: null });
    const { input } = asked.body;
    expect(input).toMatchObject({ kind: 'permission', prompt: 'Push', permission: push, blocking: true });
    expect((await request(push, { callId: 'first' })).body.input).toEqual(input);
    expect((await readTask(task.id)).status).toBe('blocked');
    const asks = (await eventsOf(gateway, task.id)).find(([type]) => type === 'task.asked');
    expect(asks?.[1].permission).toEqual({ tool: 'execute', title: 'Push', command: 'git push' });
    expect((await answer(input, { decision: 'allow_once', comment: 'Go on.' })).status).toBe(200);
    const got = (await request(push, { callId: 'first' })).body;
    expect(got).toMatchObject({ decision: 'allow', reason: null, input: { id: input.id, status: 'answered' } });
    expect(got.directives).toMatchObject([{ kind: 'answer', input_id: input.id, decision: 'allow_once' }]);
    // The response may have been lost.
    expect((await request(push, { callId: 'first' })).body.decision).toBe('allow');
    const next = (await request(push, { callId: 'second' })).body;
    expect(next.decision).toBe('ask');
    expect(next.input.id).not.toBe(input.id);
    await answer(next.input, { decision: 'reject', comment: 'Not twice.' });
    expect((await request(push, { callId: 'second' })).body).toMatchObject({
      decision: 'reject',
      reason: 'Not twice.',
    });
    expect((await request(push, { callId: 'third' })).body.decision).toBe('ask');
    expect((await call(lease, 'heartbeat')).body.expires_at).toBeNull();
  });

  it('that was answered while the agent was away applies to its next call, and to one only', async () => {
    const { request, call, lease } = await setUp([rule('ask', '*')]);
    const { input } = (await request(edit('new'), { callId: 'before' })).body;
    await answer(input, { decision: 'allow_once' });
    await call(lease, 'heartbeat');
    // The same title, another change.
    const other = (await request(edit('other'), { callId: 'another' })).body;
    expect(other.decision).toBe('ask');
    await answer(other.input, { decision: 'reject' });
    const answers = await Promise.all(['a', 'b'].map((callId) => request(edit('new'), { callId })));
    expect(answers.map(({ body }) => body.decision).sort()).toEqual(['allow', 'ask']);
  });

  it('that is truncated is decided by a person where a rule could fit the rest, who sees what there is', async () => {
    const { request } = await setUp([rule('deny', 'execute', '*git push*'), rule('allow', '*')]);
    const cut = { tool: 'execute', title: 'Run it', command: 'npm test; …', paths: ['a.ts', '/etc/hosts'] };
    expect((await request(cut)).body.decision).toBe('allow');
    const asked = (await request({ ...cut, truncated: true, digest: 'a'.repeat(64) })).body;
    expect(asked).toMatchObject({ decision: 'ask', reason: null });
    expect(asked.input.permission).toEqual({ ...cut, truncated: true, digest: 'a'.repeat(64) });
  });

  it('waits until another question of the task is answered', async () => {
    const { request } = await setUp([rule('ask', 'execute')]);
    await request(push);
    const refused = await request({ ...push, command: 'git pull' });
    expectError(refused, 409, 'conflict', { field: 'lease_id', constraint: 'state' });
    // What needs no person is decided all the same.
    expect((await request({ ...push, tool: 'read' })).body.decision).toBe('allow');
  });

  it('is decided by the policy of project and role, then of the project, of the role, and of all', async () => {
    const projects = await Promise.all(
      ['one', 'two'].map((name) => gateway.make('/v1/projects', { name: `${name} ${Math.random()}` })),
    );
    const [project, other] = projects;
    const scene = await setUp([rule('ask', 'read'), rule('deny', 'search'), rule('deny', 'edit')], {
      project: project.id,
    });
    const make = (body: object) => gateway.make('/v1/policies', body);
    await make({ project_id: project.id, role: scene.role, rules: [rule('allow', 'read', 'a*')] });
    await make({ project_id: project.id, rules: [rule('deny', 'read', 'ab*'), rule('allow', 'edit')] });
    await make({ project_id: other.id, rules: [rule('allow', '*')] });
    const all = await make({ rules: [rule('deny', 'move'), rule('allow', 'search')] });
    const decided = async (tool: string, title: string) => (await scene.request({ tool, title })).body.decision;
    expect(await decided('read', 'ab')).toBe('allow');
    expect(await decided('edit', 'x')).toBe('allow');
    expect(await decided('search', 'x')).toBe('reject');
    expect(await decided('move', 'x')).toBe('reject');
    expect(await decided('fetch', 'x')).toBe('allow');
    expect(await decided('read', 'x')).toBe('ask');
    await gateway.send('DELETE', `/v1/policies/${all.id}`);
  });

  it('of a task without a role is decided by the policy of the agent’s role', async () => {
    const { id, key, role } = await agentScene(gateway);
    await gateway.make('/v1/policies', { role, rules: [rule('deny', '*')] });
    const task = await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_agent: id });
    const { body } = await gateway.post(`/v1/agents/${id}/claims`, {}, { key });
    expect([body.task.id, body.task.assigned_role]).toEqual([task.id, null]);
    const { lease_id: lease, fencing_token } = body.lease;
    const request = { fencing_token, call_id: 'c', permission: push };
    expect((await gateway.post(`/v1/leases/${lease}/permissions`, request, { key })).body.decision).toBe('reject');
  });

  it.each<[string, object, string, string]>([
    ['an unknown tool', { permission: { ...push, tool: 'shell' } }, 'permission.tool', 'enum'],
    ['a blank title', { permission: { ...push, title: ' ' } }, 'permission.title', 'required'],
    [
      'too long a command',
      { permission: { ...push, command: 'x'.repeat(16_385) } },
      'permission.command',
      'max_length',
    ],
    [
      'too large changes',
      {
        permission: {
          ...push,
          diff: ['a', 'b', 'c'].map((path) => ({ path, old_text: 'x'.repeat(60_000), new_text: '' })),
        },
      },
      'permission',
      'max_size',
    ],
    ['no call', { call_id: undefined }, 'call_id', 'required'],
  ])('with %s is refused, and changes nothing', async (_, more, field, constraint) => {
    const { call, lease } = await setUp([]);
    const before = await gateway.rows();
    const response = await call(lease, 'permissions', { call_id: 'c', permission: push, ...more });
    expectError(response, 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('under a lease that is lost is refused', async () => {
    const { request, lease } = await setUp([]);
    const stale = { ...lease, fencing_token: lease.fencing_token + 1 };
    const before = await gateway.rows();
    const lost = { field: 'fencing_token', constraint: 'lease_lost' };
    expectError(await request(push, { lease: stale }), 409, 'conflict', lost);
    expect(await gateway.rows()).toEqual(before);
  });
});

describe('what a person allows always', () => {
  it('is remembered for the same command of the task, listed, and taken back', async () => {
    const { request, remembered, task, hold } = await setUp([rule('ask', 'execute')]);
    const { input } = (await request(push)).body;
    const said = await answer(input, { decision: 'allow_always' });
    expect((await answer(input, { decision: 'allow_always' })).body).toEqual(said.body);
    const [permission] = await remembered();
    expect(await remembered()).toEqual([
      {
        id: expect.stringMatching(/^prm_/),
        task_id: task.id,
        tool: 'execute',
        subject: 'git push',
        input_id: input.id,
        allowed_by: said.body.answered_by,
        created_at: said.body.answered_at,
      },
    ]);
    expect((await request({ ...push, title: 'Once more' })).body).toMatchObject(allowed);
    // Another command, and another task of the same agent, are not what was allowed.
    const other = (await request({ ...push, command: 'git push --force' })).body;
    expect(other.decision).toBe('ask');
    await answer(other.input, { decision: 'reject' });
    const second = await hold();
    expect((await request(push, { lease: second.lease })).body.decision).toBe('ask');
    expect(await remembered(second.task.id)).toEqual([]);
    const path = `/v1/tasks/${task.id}/permissions/${permission?.id}`;
    expectError(await gateway.send('DELETE', path.replace(task.id, second.task.id)), 404, 'not_found');
    expect((await gateway.send('DELETE', path)).status).toBe(204);
    expectError(await gateway.send('DELETE', path), 404, 'not_found');
    const audit = (await gateway.get(`/admin/api/audit?target_id=${task.id}`)).body.data;
    expect(audit).toMatchObject([
      { action: 'task_permission.deleted', data: { tool: 'execute', subject: permission?.subject } },
    ]);
    expect(await remembered()).toEqual([]);
    const again = (await request(push)).body;
    expect(again.decision).toBe('ask');
    expect(again.input.id).not.toBe(input.id);
  });

  it('does not override a later policy that denies it', async () => {
    const { request, policy } = await setUp([rule('ask', 'execute')]);
    const { input } = (await request(push)).body;
    await answer(input, { decision: 'allow_always' });
    const rules = [rule('deny', 'execute')];
    await gateway.send('PATCH', `/v1/policies/${policy.id}`, JSON.stringify({ rules }));
    expect((await request(push)).body.decision).toBe('reject');
  });
});

describe('an input of the kind permission', () => {
  it('that an agent asks itself always asks, and its answer comes as a directive', async () => {
    const { ask, call, lease, remembered, request } = await setUp([rule('ask', '*')]);
    const asked = await ask(lease, { kind: 'permission', prompt: 'May I?', permission: push });
    expect(asked.status).toBe(201);
    await answer(asked.body.input, { decision: 'allow_once' });
    const { directives } = (await call(lease, 'heartbeat')).body;
    expect(directives).toMatchObject([{ kind: 'answer', decision: 'allow_once' }]);
    expect(await remembered()).toEqual([]);
    // Its answer was for the agent, not for a later call.
    expect((await request(push)).body.decision).toBe('ask');
  });

  it('needs what it is for, and takes decisions about permissions alone, of people alone', async () => {
    const { ask, lease, id } = await setUp([]);
    const missing = await ask(lease, { kind: 'permission' });
    expectError(missing, 400, 'invalid_input', { field: 'permission', constraint: 'required' });
    const other = await ask(lease, { permission: push });
    expectError(other, 400, 'invalid_input', { field: 'permission', constraint: 'unknown_field' });
    const { input } = (await ask(lease, { kind: 'permission', permission: push })).body;
    const key = await gateway.makeKey(['tasks:write'], { agentId: id });
    const before = await gateway.rows();
    expectError(await answer(input, { decision: 'approve' }), 400, 'invalid_input', {
      field: 'decision',
      constraint: 'enum',
    });
    expectError(await answer(input, { answer: 'yes' }), 400, 'invalid_input', {
      field: 'decision',
      constraint: 'required',
    });
    const byAgent = await gateway.post(`/v1/inputs/${input.id}/answer`, { decision: 'allow_once' }, { key });
    expectError(byAgent, 403, 'forbidden');
    expect(await gateway.rows()).toEqual(before);
    await answer(input, { decision: 'reject' });
    const closed = { field: 'status', constraint: 'state' };
    expectError(await answer(input, { decision: 'allow_once' }), 409, 'conflict', closed);
  });

  it('is not what an approval is: that is approved or rejected', async () => {
    const { ask, lease } = await setUp([]);
    const { input } = (await ask(lease, { kind: 'approval' })).body;
    const refused = await answer(input, { decision: 'allow_once' });
    expectError(refused, 400, 'invalid_input', { field: 'decision', constraint: 'enum' });
  });
});
