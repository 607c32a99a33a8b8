import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
let made = 0;
const rules = [{ action: 'ask', tool: 'execute', pattern: 'git push*' }];
const roleOf = () => `policy-${(made += 1)}`;
const make = (more: object = {}): Promise<Json> => gateway.make('/v1/policies', { role: roleOf(), rules, ...more });
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `/v1/policies/${id}`, JSON.stringify(body), { headers });
const remove = (id: string, headers: Record<string, string> = {}) =>
  gateway.send('DELETE', `/v1/policies/${id}`, undefined, { headers });

describe('permission policies', () => {
  it('are made, read, listed, changed and deleted', async () => {
    const policy = await make();
    expect(policy).toEqual({
      id: expect.stringMatching(/^pol_/),
      project_id: null,
      role: policy.role,
      rules,
      version: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: policy.created_at,
    });
    const read = await gateway.get(`/v1/policies/${policy.id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([policy, '"1"']);
    expect((await gateway.get(`/v1/policies?role=${policy.role}`)).body.data).toEqual([policy]);
    const more = [{ action: 'deny', tool: '*', pattern: '*' }, ...rules];
    const changed = await patch(policy.id, { rules: more }, { 'if-match': '"1"' });
    expect(changed.body).toMatchObject({ rules: more, version: 2, role: policy.role });
    expect((await patch(policy.id, { rules: more })).body).toEqual(changed.body);
    const stale = { field: 'If-Match', constraint: 'version' };
    expectError(await patch(policy.id, { rules: [] }, { 'if-match': '"1"' }), 412, 'invalid_request', stale);
    expectError(await remove(policy.id, { 'if-match': '"1"' }), 412, 'invalid_request', stale);
    expect((await remove(policy.id, { 'if-match': '"2"' })).status).toBe(204);
    expectError(await gateway.get(`/v1/policies/${policy.id}`), 404, 'not_found');
    expectError(await remove(policy.id), 404, 'not_found');
    expectError(await patch(policy.id, { rules }), 404, 'not_found');
  });

  it('are one for each project and role, also of all projects', async () => {
    const project = await gateway.make('/v1/projects', { name: roleOf() });
    const role = roleOf();
    const pairs = [{ role }, { role, project_id: project.id }, { role: null, project_id: project.id }];
    for (const pair of pairs) {
      await make(pair);
      const before = await gateway.rows();
      const again = await gateway.post('/v1/policies', { ...pair, rules });
      expectError(again, 409, 'conflict', { field: 'role', constraint: 'exists' });
      expect(await gateway.rows()).toEqual(before);
    }
    const listed = (await gateway.get(`/v1/policies?project_id=${project.id}&sort=id`)).body.data;
    expect(listed.map((one: Json) => one.role)).toEqual([role, null]);
    const both = await Promise.all([0, 1].map(() => gateway.post('/v1/policies', { role: `${role}-2`, rules })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each<[string, object, string, string]>([
    ['an unknown action', { rules: [{ ...rules[0], action: 'maybe' }] }, 'rules.0.action', 'enum'],
    ['a blank tool', { rules: [{ ...rules[0], tool: ' ' }] }, 'rules.0.tool', 'required'],
    ['no pattern', { rules: [{ action: 'ask', tool: '*' }] }, 'rules.0.pattern', 'required'],
    ['too long a pattern', { rules: [{ ...rules[0], pattern: '*'.repeat(501) }] }, 'rules.0.pattern', 'max_length'],
    ['too many rules', { rules: Array.from({ length: 101 }, () => rules[0]) }, 'rules', 'max_length'],
    ['a role that is none', { role: 'a b' }, 'role', 'pattern'],
    ['an unknown project', { project_id: 'prj_none' }, 'project_id', 'format'],
  ])('with %s are refused, and change nothing', async (_, more, field, constraint) => {
    const before = await gateway.rows();
    const response = await gateway.post('/v1/policies', { role: roleOf(), rules, ...more });
    expectError(response, 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('are in the audit log with each change', async () => {
    const { id, role } = await make();
    await patch(id, { rules: [] });
    await patch(id, { rules: [] });
    await remove(id);
    const { body } = await gateway.get(`/admin/api/audit?target_id=${id}&sort=created_at`);
    expect(body.data.map(({ action, data }: Json) => [action, data])).toEqual([
      ['permission_policy.created', { project_id: null, role, rules }],
      ['permission_policy.changed', { rules: [] }],
      ['permission_policy.deleted', { project_id: null, role, rules: [] }],
    ]);
  });
});
