import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
let made = 0;
const profile = (more: object = {}) => ({ name: `Profile ${(made += 1)}`, ...more });
const make = (more: object = {}): Promise<Json> => gateway.make('/v1/profiles', profile(more));
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `/v1/profiles/${id}`, JSON.stringify(body), { headers });
const agentOf = (role: string): Promise<Json> => gateway.make('/v1/agents', { name: 'Ada', role });

const skill = { name: 'notes', files: [{ path: 'SKILL.md', content: '# Notes' }] };
const remote = {
  type: 'http',
  name: 'issues',
  url: 'http://127.0.0.1:8931/mcp',
  headers: { Authorization: '${MCP_TOKEN}' },
};
const local = { type: 'stdio', name: 'docs', command: 'docs-mcp', args: ['--stdio'], env: { LEVEL: '1' } };
const settings = {
  instructions: '# How we work',
  model: 'large-1',
  effort: 'high',
  skills: [skill],
  mcp_servers: [remote, local],
  checks: [{ name: 'lint', command: 'npm run lint', timeout_seconds: 60 }],
  permission_rules: [{ action: 'ask', tool: 'execute', pattern: 'git push*' }],
  budgets: [{ unit: 'usd', period: 'day', limit: 20, warn_at_percent: 80 }],
};
const none = {
  instructions: null,
  model: null,
  effort: null,
  skills: [],
  mcp_servers: [],
  checks: [],
  permission_rules: [],
  budgets: [],
};

describe('profiles', () => {
  it('are made with all of their settings, and read under an ETag', async () => {
    const sent = profile({ description: 'Of the back end.', roles: ['writer', 'editor'], ...settings });
    const { status, body, headers } = await gateway.post('/v1/profiles', sent);
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([
      201,
      `${baseUrl}/v1/profiles/${body.id}`,
      '"1"',
    ]);
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^prf_[0-9a-z]{26}$/),
      roles: ['editor', 'writer'],
      agents: [],
      version: 1,
      created_at: body.updated_at,
      updated_at: body.created_at,
    });
    const read = await gateway.get(`/v1/profiles/${body.id}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, body, '"1"']);
  });

  it('need a name alone; lists show them without their settings', async () => {
    const { id, name, ...rest } = await make();
    expect(rest).toMatchObject({ description: null, roles: [], agents: [], ...none });
    const { body } = await gateway.get(`/v1/profiles?id=${id}`);
    const { version, created_at, updated_at } = rest;
    const summary = { id, name, description: null, roles: [], agents: [], version, created_at, updated_at };
    expect(body.data).toEqual([summary]);
  });

  it('change by a merge patch: null resets, lists are replaced, and what changes nothing is no version', async () => {
    const { id } = await make({ ...settings, roles: ['r1'] });
    const { body } = await patch(id, { effort: null, skills: null, roles: ['r3', 'r2', 'r2'] });
    expect(body).toMatchObject({ ...settings, effort: null, skills: [], roles: ['r2', 'r3'], version: 2 });
    expect((await patch(id, { effort: null, roles: ['r3', 'r2'] })).body.version).toBe(2);
    expectError(await patch(id, { name: 'x' }, { 'if-match': '"1"' }), 412, 'invalid_request', {
      field: 'If-Match',
      constraint: 'version',
    });
    const stale = await gateway.send('DELETE', `/v1/profiles/${id}`, undefined, { headers: { 'if-match': '"1"' } });
    expectError(stale, 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
  });

  it('keep what their settings were, by the versions that changed them', async () => {
    const { id } = await make({ instructions: 'First.' });
    await patch(id, { name: `Renamed ${id}` });
    await patch(id, { instructions: 'Third.' });
    const { body } = await gateway.get(`/v1/profiles/${id}/versions`);
    expect(body.data.map(({ version }: Json) => version)).toEqual([3, 1]);
    const first = await gateway.get(`/v1/profiles/${id}/versions/1`);
    expect(first.body).toMatchObject({ profile_id: id, version: 1, ...none, instructions: 'First.' });
    const renamed = await gateway.get(`/v1/profiles/${id}/versions/2`);
    expect(renamed.body).toEqual(first.body);
    for (const version of ['4', '0', '01', '-1', '1.5', '1e0', 'x', '99999999999'])
      expectError(await gateway.get(`/v1/profiles/${id}/versions/${version}`), 404, 'not_found');
  });

  it('keep a hundred versions, the newest', async () => {
    const { id } = await make({ instructions: '0' });
    for (let turn = 1; turn <= 101; turn += 1) await patch(id, { instructions: String(turn) });
    const { body } = await gateway.get(`/v1/profiles/${id}/versions`);
    const versions = body.data.map(({ version }: Json) => version);
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([100, 102, 3]);
    expectError(await gateway.get(`/v1/profiles/${id}/versions/2`), 404, 'not_found');
  });

  it('are deleted with their versions, and leave entries in the audit log', async () => {
    const { id, name } = await make({ roles: ['going'] });
    await patch(id, { effort: 'low' });
    expect((await gateway.send('DELETE', `/v1/profiles/${id}`)).status).toBe(204);
    expectError(await gateway.get(`/v1/profiles/${id}`), 404, 'not_found');
    expectError(await gateway.get(`/v1/profiles/${id}/versions`), 404, 'not_found');
    await make({ name, roles: ['going'] });
    const { body } = await gateway.get(`/admin/api/audit?target_id=${id}&sort=created_at`);
    expect(body.data.map(({ action, data }: Json) => [action, data])).toEqual([
      ['profile.created', { name, version: 1 }],
      ['profile.changed', { version: 2, changed: ['effort'] }],
      ['profile.deleted', {}],
    ]);
  });

  it('of another tenant are 404', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['tasks:read', 'projects:write'], { tenantId });
    const { id } = await make();
    expectError(await gateway.get(`/v1/profiles/${id}`, { key }), 404, 'not_found');
    expectError(await gateway.get(`/v1/profiles/${id}/versions/1`, { key }), 404, 'not_found');
    expectError(await gateway.send('DELETE', `/v1/profiles/${id}`, undefined, { key }), 404, 'not_found');
  });
});

describe('the profile of an agent', () => {
  const of = (id: string, options?: object) => gateway.get(`/v1/agents/${id}/profile`, options);

  it('is its own, else that of its role, else there is none', async () => {
    const agent = await agentOf('painter');
    expectError(await of(agent.id), 404, 'not_found');
    const ofRole = await make({ roles: ['painter'], ...settings });
    const { body, headers } = await of(agent.id);
    expect([body, headers.get('etag')]).toEqual([ofRole, '"1"']);
    const own = await make({ agents: [agent.id] });
    expect((await of(agent.id)).body.id).toBe(own.id);
    await gateway.send('DELETE', `/v1/profiles/${own.id}`);
    expect((await of(agent.id)).body.id).toBe(ofRole.id);
  });

  it('is read by the agent itself, and not by another one', async () => {
    const [one, other] = [await agentOf('glazier'), await agentOf('glazier')];
    await make({ roles: ['glazier'] });
    const key = (await gateway.make(`/v1/agents/${one.id}/keys`, { name: 'Own' })).key;
    expect((await of(one.id, { key })).status).toBe(200);
    expectError(await of(other.id, { key }), 404, 'not_found');
  });

  it('is one: a role or an agent that has another is refused, and so is a name, and nothing is written', async () => {
    const agent = await agentOf('roofer');
    const { id, name } = await make({ roles: ['roofer'], agents: [agent.id] });
    const another = await make();
    const rows = await gateway.rows();
    const cases: [object, string][] = [
      [{ roles: ['other', 'roofer'] }, 'roles'],
      [{ agents: [agent.id] }, 'agents'],
      [{ name }, 'name'],
    ];
    for (const [body, field] of cases) {
      const refused = await gateway.post('/v1/profiles', profile(body));
      expectError(refused, 409, 'conflict', { field, constraint: 'exists' });
      expectError(await patch(another.id, body), 409, 'conflict', { field, constraint: 'exists' });
      if (field !== 'name') expect(refused.body.error.message).toContain(id);
    }
    const unknown = await gateway.post('/v1/profiles', profile({ agents: ['agt_unknown'] }));
    expectError(unknown, 400, 'invalid_input', { field: 'agents.0', constraint: 'exists' });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('can be changed after one of its agents was removed, and takes no other agent that does not exist', async () => {
    const [gone, here] = [await agentOf('tiler'), await agentOf('tiler')];
    const { id } = await make({ agents: [gone.id, here.id] });
    expect((await gateway.send('DELETE', `/v1/agents/${gone.id}`)).status).toBe(204);
    expect((await patch(id, { model: 'large-2' })).status).toBe(200);
    const unknown = await patch(id, { agents: [gone.id, here.id, 'agt_unknown'].sort() });
    expect([unknown.status, unknown.body.error.details.constraint]).toEqual([400, 'exists']);
    expect((await patch(id, { agents: [here.id] })).body.agents).toEqual([here.id]);
  });

  it('is one, also when two are made at once', async () => {
    const bodies = Array.from({ length: 6 }, () => profile({ roles: ['mason'] }));
    const statuses = await Promise.all(bodies.map(async (body) => (await gateway.post('/v1/profiles', body)).status));
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('settings are refused', () => {
  const file = (path: string) => ({ path, content: '' });
  const withPath = (path: string) => ({ skills: [{ name: 'a', files: [file('SKILL.md'), file(path)] }] });
  it.each<[string, object, string, string]>([
    ['a path that leaves the skill', withPath('../../x'), 'skills.0.files.1.path', 'format'],
    ['an absolute path', withPath('/etc/passwd'), 'skills.0.files.1.path', 'format'],
    ['a path twice', withPath('skill.md'), 'skills.0.files.1.path', 'exists'],
    ['a file in a file', withPath('skill.MD/a/b.md'), 'skills.0.files.1.path', 'exists'],
    ['a name of more than 255 bytes', withPath(`a/${'€'.repeat(86)}`), 'skills.0.files.1.path', 'format'],
    ['a skill without SKILL.md', { skills: [{ name: 'a', files: [file('a.md')] }] }, 'skills.0.files', 'required'],
    ['a skill twice', { skills: [skill, skill] }, 'skills.1.name', 'exists'],
    ['a name that is no name of a folder', { skills: [{ ...skill, name: '../a' }] }, 'skills.0.name', 'pattern'],
    [
      'an address that is not HTTP',
      { mcp_servers: [{ ...remote, url: 'file:///etc' }] },
      'mcp_servers.0.url',
      'format',
    ],
    ['a server twice', { mcp_servers: [remote, { ...local, name: 'issues' }] }, 'mcp_servers.1.name', 'exists'],
    ['an unknown transport', { mcp_servers: [{ ...local, type: 'pipe' }] }, 'mcp_servers.0.type', 'enum'],
    ['a check twice', { checks: [settings.checks[0], settings.checks[0]] }, 'checks.1.name', 'exists'],
    ['more than 256 KiB', { skills: large(3) }, 'body', 'max_size'],
  ])('%s', async (_, body, field, constraint) => {
    const rows = await gateway.rows();
    expectError(await gateway.post('/v1/profiles', profile(body)), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('that are more than 256 KiB together, by patches that are less', async () => {
    const { id } = await make({ skills: large(2) });
    const refused = await patch(id, { mcp_servers: [{ ...local, args: Array(30).fill('x'.repeat(4_000)) }] });
    expectError(refused, 400, 'invalid_input', { field: 'body', constraint: 'max_size' });
    expect((await gateway.get(`/v1/profiles/${id}`)).body.version).toBe(1);
  });
});

/** Of 100 kB each. */
function large(count: number) {
  const content = 'x'.repeat(100_000);
  return Array.from({ length: count }, (_, at) => ({ name: `s${at}`, files: [{ path: 'SKILL.md', content }] }));
}
