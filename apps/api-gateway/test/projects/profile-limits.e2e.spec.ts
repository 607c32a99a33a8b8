import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { workingWith } from '../leases/model-calls.ts';

const gateway = useGateway();
const working = workingWith(gateway);
const rule = (action: string, pattern = '*') => ({ action, tool: 'execute', pattern });
const daily = { unit: 'calls', period: 'day', limit: 3, warn_at_percent: 80 };

/** What people do with profiles and budgets of the tenant of `key`. */
function steering(key: string) {
  const send = (method: string, path: string, body?: object) =>
    gateway.send(method, path, body && JSON.stringify(body), { key });
  return {
    make: (body: object): Promise<Json> => gateway.make('/v1/profiles', { name: 'Limited', ...body }, { key }),
    patch: (id: string, body: object) => send('PATCH', `/v1/profiles/${id}`, body),
    remove: (id: string) => send('DELETE', `/v1/profiles/${id}`),
    changeBudget: (id: string, body: object) => send('PATCH', `/v1/budgets/${id}`, body),
    deleteBudget: (id: string) => send('DELETE', `/v1/budgets/${id}`),
    budgetsOf: async (id: string): Promise<Json[]> =>
      (await gateway.get(`/v1/budgets?scope=profile&scope_id=${id}&sort=id`, { key })).body.data,
  };
}

describe('the permission rules of a profile', () => {
  it('decide after the policies of the project and before those of all projects, for its agents alone', async () => {
    const { key, role, id, begin, call } = await working();
    const { make, patch } = steering(key);
    const project = await gateway.make('/v1/projects', { name: role }, { key });
    const policy = (body: object) => gateway.make('/v1/policies', body, { key });
    await policy({ project_id: project.id, role: null, rules: [rule('allow', 'npm *')] });
    await policy({ project_id: null, role, rules: [rule('deny')] });
    const { lease } = await begin({ project: project.id });
    const decision = async (command: string): Promise<string> => {
      const permission = { tool: 'execute', title: command, command };
      const { body } = await call('permissions', { call_id: command.replaceAll(' ', '-'), permission }, lease);
      return body.decision;
    };
    const both = async () => [await decision('npm test'), await decision('git push'), await decision('ls')];
    expect(await both()).toEqual(['allow', 'reject', 'reject']);
    const profile = await make({ agents: [id], permission_rules: [rule('deny', 'npm *'), rule('allow', 'git *')] });
    expect(await both()).toEqual(['allow', 'allow', 'reject']);
    await patch(profile.id, { permission_rules: null });
    expect(await both()).toEqual(['allow', 'reject', 'reject']);
    await patch(profile.id, { permission_rules: [rule('allow')], agents: null });
    expect(await both()).toEqual(['allow', 'reject', 'reject']);
  });
});

describe('the budgets of a profile', () => {
  it('are budgets of the scope profile, and follow its settings with what is used up of them', async () => {
    const { key, role, start, report } = await working();
    const { make, patch, remove, budgetsOf } = steering(key);
    const ofTask = { unit: 'usd', period: 'task', limit: 2.5, warn_at_percent: 50 };
    const profile = await make({ roles: [role], budgets: [{ unit: 'calls', period: 'day', limit: 3 }, ofTask] });
    expect(profile.budgets).toEqual([daily, ofTask]);
    const shown = { scope: 'profile', scope_id: profile.id, version: 1 };
    const made = await budgetsOf(profile.id);
    expect(made.toSorted((a, b) => b.limit - a.limit)).toMatchObject([
      { ...daily, ...shown },
      { ...ofTask, ...shown },
    ]);
    await start('a');
    await report('a');
    const { body } = await patch(profile.id, { budgets: [{ ...daily, limit: 5 }] });
    expect(body.version).toBe(2);
    const [left, ...others] = await budgetsOf(profile.id);
    const one = made.find(({ unit }) => unit === 'calls');
    expect([left, others]).toMatchObject([{ id: one?.id, limit: 5, version: 2, current: { spent: 1 } }, []]);
    await patch(profile.id, { description: 'the same budgets' });
    expect((await budgetsOf(profile.id))[0]).toMatchObject({ version: 2 });
    expect((await remove(profile.id)).status).toBe(204);
    expect(await budgetsOf(profile.id)).toEqual([]);
  });

  it('are changed with the profile alone', async () => {
    const { key } = await working();
    const { make, budgetsOf, changeBudget, deleteBudget } = steering(key);
    const { id } = await make({ budgets: [daily] });
    const [budget] = await budgetsOf(id);
    const before = await gateway.rows();
    for (const refused of [await changeBudget(budget?.id, { limit: 9 }), await deleteBudget(budget?.id)]) {
      expectError(refused, 409, 'conflict', { field: 'scope', constraint: 'state' });
      expect(refused.body.error.message).toContain(id);
    }
    const own = await gateway.post('/v1/budgets', { ...daily, scope: 'profile', scope_id: id }, { key });
    expectError(own, 400, 'invalid_input', { field: 'scope', constraint: 'enum' });
    expect(await gateway.rows()).toEqual(before);
  });

  it('count the calls of its agents together, and of no agent with another profile', async () => {
    const { key, role, start, report, begin, call, id, task } = await working();
    const { make, patch, budgetsOf } = steering(key);
    const other = await gateway.make('/v1/agents', { name: 'other', role, max_concurrent_tasks: 5 }, { key });
    const profile = await make({ roles: [role], budgets: [{ ...daily, limit: 2 }] });
    const own = await make({ name: 'Own', agents: [other.id] });
    await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role }, { key });
    const { lease } = (await gateway.post(`/v1/agents/${other.id}/claims`, {}, { key })).body;
    const use = async (name: string, of?: Json) => {
      const { allowed } = await start(name, {}, of);
      if (allowed) await report(name, {}, of);
      return allowed;
    };
    const spent = async () => (await budgetsOf(profile.id))[0]?.current.spent;
    expect([await use('a'), await use('b', lease), await spent()]).toEqual([true, true, 1]);
    await patch(own.id, { agents: null });
    expect([await use('c', lease), await use('d'), await spent()]).toEqual([true, false, 2]);
    const refused = await start('e');
    expect(refused.reason).toContain(`The budget of the profile ${profile.id} is used up: 2 of 2 model calls`);
    await call('release', { reason: 'r', not_before_seconds: 0 });
    expect((await gateway.post(`/v1/agents/${id}/claims`, {}, { key })).status).toBe(204);
    const { waiting_on: waiting } = (await gateway.get(`/v1/tasks/${task.id}`, { key })).body;
    expect(waiting).toMatchObject({ kind: 'budget', id: (await budgetsOf(profile.id))[0]?.id });
    await patch(profile.id, { budgets: [{ ...daily, limit: 3 }] });
    expect((await begin()).task.status).toBe('in_progress');
  });

  it.each<[string, object[], string, string]>([
    ['two of one unit and period', [daily, { ...daily, limit: 7 }], 'budgets.1.period', 'exists'],
    ['half a call', [{ ...daily, limit: 0.5 }], 'budgets.0.limit', 'format'],
    ['a scope', [{ ...daily, scope: 'tenant' }], 'budgets.0.scope', 'unknown_field'],
    ['no limit', [{ unit: 'usd', period: 'day' }], 'budgets.0.limit', 'required'],
  ])('with %s are refused, and change nothing', async (_, budgets, field, constraint) => {
    const before = await gateway.rows();
    const response = await gateway.post('/v1/profiles', { name: 'Refused', budgets });
    expectError(response, 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });
});

it('a profile that an earlier version has written has no rules and no budgets', async () => {
  const { key } = await working();
  const { make } = steering(key);
  const { id } = await make({ budgets: [daily], permission_rules: [rule('ask')] });
  for (const table of ['profiles', 'profile_versions'])
    await gateway.test.database.db.query(
      `UPDATE ${table} SET settings = settings - 'budgets' - 'permission_rules' WHERE ${table === 'profiles' ? 'id' : 'profile_id'} = $1`,
      [id],
    );
  for (const path of ['', '/versions/1']) {
    const { body } = await gateway.get(`/v1/profiles/${id}${path}`, { key });
    expect(body).toMatchObject({ budgets: [], permission_rules: [] });
  }
});
