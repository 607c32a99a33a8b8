import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const url = 'https://github.com/acme/web.git';
const repository = {
  url,
  base_branch: 'develop',
  setup: 'npm ci',
  copy_files: ['.env', 'config/*.json'],
  checks: [{ name: 'tests', command: 'npm test', timeout_seconds: 60 }],
};
let projects = 0;
const project = (more: object = {}) => ({ name: `Project ${(projects += 1)}`, ...more });
const make = (more: object = {}): Promise<Json> => gateway.make('/v1/projects', project(more));
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `/v1/projects/${id}`, JSON.stringify(body), { headers });
const act = (id: string, verb: 'archive' | 'unarchive') => gateway.post(`/v1/projects/${id}/${verb}`, undefined);

describe('projects', () => {
  it('are made with their repositories and defaults, and read under an ETag', async () => {
    const sent = project({
      description: 'The shop.',
      repositories: [repository],
      defaults: { assigned_role: 'rd', priority: 'high', tags: ['web'] },
    });
    const { status, body, headers } = await gateway.post('/v1/projects', sent);
    const location = `${baseUrl}/v1/projects/${body.id}`;
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, location, '"1"']);
    expect(body).toEqual({
      ...sent,
      max_rework_rounds: 3,
      id: expect.stringMatching(/^prj_[0-9a-z]{26}$/),
      version: 1,
      created_at: body.updated_at,
      updated_at: body.created_at,
      archived_at: null,
    });
    const read = await gateway.get(`/v1/projects/${body.id}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, body, '"1"']);
  });

  it('say how often work is sent back before a person decides', async () => {
    const { id } = await make({ max_rework_rounds: 0 });
    const read = async () => (await gateway.get(`/v1/projects/${id}`)).body.max_rework_rounds;
    expect(await read()).toBe(0);
    for (const wrong of [-1, 21, 1.5, '3']) expect((await patch(id, { max_rework_rounds: wrong })).status).toBe(400);
    expect(await read()).toBe(0);
    expect((await patch(id, { max_rework_rounds: 20 })).status).toBe(200);
    expect((await patch(id, { max_rework_rounds: null })).body.max_rework_rounds).toBe(3);
  });

  it('need a name alone; a repository needs its URL alone', async () => {
    expect(await make()).toMatchObject({ description: null, repositories: [], defaults: {} });
    const { repositories } = await make({
      repositories: [{ url, setup: null, checks: [{ name: 'a', command: 'b' }] }],
    });
    const checks = [{ name: 'a', command: 'b', timeout_seconds: 600 }];
    expect(repositories).toEqual([{ url, base_branch: 'main', setup: null, copy_files: [], checks }]);
  });

  it('are made once for an idempotency key', async () => {
    const [sent, headers] = [project(), { 'idempotency-key': 'a project' }];
    const first = await gateway.post('/v1/projects', sent, { headers });
    const second = await gateway.post('/v1/projects', sent, { headers });
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
  });

  it('are paged in both styles, filtered and sorted by what they show', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['tasks:read', 'projects:write'], { tenantId });
    for (const [name, description] of [
      ['one', 'b'],
      ['two', null],
      ['three', 'a'],
    ])
      await gateway.make('/v1/projects', { name, description }, { key });
    const list = async (query: string) => (await gateway.get(`/v1/projects?${query}`, { key })).body;
    const names = async (query: string) => (await list(query)).data.map(({ name }: Json) => name);
    expect(await names('')).toEqual(['three', 'two', 'one']);
    expect(await list('limit=1&offset=1')).toMatchObject({
      data: [{ name: 'two', repositories: [] }],
      metadata: { total: 3, limit: 1, offset: 1 },
    });
    const { pagination } = await list('after=&limit=2&sort=name');
    expect(pagination).toMatchObject({ total_count: 3, has_more: true });
    expect(await names(`after=${pagination.next_cursor}&sort=name`)).toEqual(['two']);
    expect(await names('sort=description')).toEqual(['three', 'one', 'two']);
    expect(await names('sort=-updated_at&description=a')).toEqual(['three']);
    expect(await names('name=one&version=1')).toEqual(['one']);
    expectError(await gateway.get('/v1/projects?sort=repositories', { key }), 400, 'invalid_request', {
      field: 'sort',
      constraint: 'enum',
    });
  });

  it('are changed by a merge patch under the ETag that was read, repositories as a whole', async () => {
    const { id } = await make({ repositories: [repository], defaults: { priority: 'high', tags: ['a'] } });
    const other = { url: 'git@github.com:acme/api.git' };
    const body = { description: 'New.', repositories: [other], defaults: { priority: null, assigned_role: 'qa' } };
    const changed = await patch(id, body, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ description: 'New.', repositories: [other], version: 2 });
    expect(changed.body.defaults).toEqual({ assigned_role: 'qa', tags: ['a'] });
    const reset = await patch(id, { description: null, repositories: null, defaults: null });
    expect(reset.body).toMatchObject({ description: null, repositories: [], defaults: {}, version: 3 });
    const rows = await gateway.rows();
    const late = await patch(id, { name: 'Late' }, { 'if-match': '"2"' });
    expectError(late, 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
    const same = await patch(id, reset.body);
    expect([same.status, same.body]).toEqual([200, reset.body]);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('have names of their own, among those that are not archived', async () => {
    const exists = { field: 'name', constraint: 'exists' };
    const first = await make();
    const { name } = first;
    expectError(await gateway.post('/v1/projects', { name }), 409, 'conflict', exists);
    const second = await make();
    expectError(await patch(second.id, { name }), 409, 'conflict', exists);
    const sent = Array.from({ length: 5 }, () => gateway.post('/v1/projects', { name: 'At once' }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409]);
    await act(first.id, 'archive');
    expect((await patch(second.id, { name })).status).toBe(200);
    const refused = await act(first.id, 'unarchive');
    expectError(refused, 409, 'conflict', exists);
    expect(refused.body.error.message).toContain('Choose another name');
  });

  it('are archived, and lists leave them out until that is taken back', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['tasks:read', 'projects:write'], { tenantId });
    const { id } = await gateway.make('/v1/projects', { name: 'Old' }, { key });
    await gateway.make('/v1/projects', { name: 'New' }, { key });
    const listed = async (query = '') =>
      (await gateway.get(`/v1/projects?${query}`, { key })).body.data.map(({ name }: Json) => name);
    const { status, body, headers } = await gateway.post(`/v1/projects/${id}/archive`, undefined, { key });
    expect([status, headers.get('etag'), body]).toMatchObject([200, '"1"', { archived_at: expect.any(String) }]);
    expect((await gateway.post(`/v1/projects/${id}/archive`, undefined, { key })).body).toEqual(body);
    expect((await gateway.get(`/v1/projects/${id}`, { key })).body).toEqual(body);
    expect([await listed(), await listed('is_archived=true'), await listed('is_archived=any')]).toEqual([
      ['New'],
      ['Old'],
      ['New', 'Old'],
    ]);
    const back = await gateway.post(`/v1/projects/${id}/unarchive`, undefined, { key });
    expect([back.status, back.body, await listed()]).toEqual([200, { ...body, archived_at: null }, ['New', 'Old']]);
  });

  it.each(['prj_01ks0000000000000000000000', 'nothing', '%20'])('%s is 404', async (id) => {
    expectError(await gateway.get(`/v1/projects/${id}`), 404, 'not_found');
    expectError(await patch(id, { name: 'x' }), 404, 'not_found');
    expectError(await act(id, 'archive'), 404, 'not_found');
  });

  it('of another tenant are 404', async () => {
    const key = await gateway.makeKey(['tasks:read', 'projects:write'], {
      tenantId: await gateway.test.createTenant(),
    });
    const { id } = await make();
    expectError(await gateway.get(`/v1/projects/${id}`, { key }), 404, 'not_found');
    expectError(await gateway.send('PATCH', `/v1/projects/${id}`, '{"name":"x"}', { key }), 404, 'not_found');
  });

  it('leave an entry in the audit log for each change, with the commands', async () => {
    const { id, name } = await make({ repositories: [repository], description: 'Long.' });
    await patch(id, { defaults: { priority: 'low' }, description: 'Longer.' });
    await patch(id, { defaults: { priority: 'low' } });
    await act(id, 'archive');
    await act(id, 'archive');
    await act(id, 'unarchive');
    const { body } = await gateway.get(`/admin/api/audit?target_id=${id}&sort=created_at`);
    expect(body.data.map(({ action, data }: Json) => [action, data])).toEqual([
      ['project.created', { name, repositories: [repository] }],
      ['project.changed', { defaults: { priority: 'low' } }],
      ['project.archived', {}],
      ['project.unarchived', {}],
    ]);
  });
});

describe('a repository is refused', () => {
  const refused = async (more: object, field: string, constraint = 'format') => {
    const rows = await gateway.rows();
    const response = await gateway.post('/v1/projects', project({ repositories: [{ url, ...more }] }));
    expectError(response, 400, 'invalid_input', { field: `repositories.0.${field}`, constraint });
    expect(response.body.error.message).toMatch(new RegExp(`^repositories.0.${field} .+\\.$`));
    expect(await gateway.rows()).toEqual(rows);
  };

  it.each([
    'ext::sh -c "touch /tmp/x"',
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=x',
    'ssh://-oProxyCommand=x/acme/web',
    'https://user:secret@github.com/acme/web',
    'https://token@github.com/acme/web',
    'https://github.com/acme/web\u0007',
    'git://github.com/acme/web',
    'https://10.0.0.1/acme/web',
    'git@192.168.0.1:acme/web',
    'acme/web',
  ])('with the URL %j', (wrong) => refused({ url: wrong }, 'url'));

  it.each(['a..b', '-b', 'a b', 'a.lock', '.a', 'a~1', 'HEAD', 'a/'])('with the branch %j', (branch) =>
    refused({ base_branch: branch }, 'base_branch'),
  );

  it.each(['/etc/passwd', '../.env', 'a/../../b', '~/.ssh/id_rsa', '.git/config'])('that copies %j', (path) =>
    refused({ copy_files: [path] }, 'copy_files.0'),
  );

  it.each<[object, string, string]>([
    [{ url: '' }, 'url', 'required'],
    [{ url: null }, 'url', 'required'],
    [{ url: `https://github.com/${'a'.repeat(2_048)}` }, 'url', 'max_length'],
    [{ setup: ' ' }, 'setup', 'required'],
    [{ checks: [{ name: 'a' }] }, 'checks.0.command', 'required'],
    [{ checks: [{ name: 'a', command: 'b', timeout_seconds: 0 }] }, 'checks.0.timeout_seconds', 'min'],
    [{ checks: [{ name: 'a', command: 'b', timeout_seconds: 86_401 }] }, 'checks.0.timeout_seconds', 'max'],
    [{ checks: ['a', 'a'].map((name) => ({ name, command: 'b' })) }, 'checks.1.name', 'exists'],
    [{ copy_files: Array(51).fill('.env') }, 'copy_files', 'max_length'],
    [{ branch: 'main' }, 'branch', 'unknown_field'],
  ])('for %j', (more, field, constraint) => refused(more, field, constraint));

  it('when there are two of it, too many, or too much of them', async () => {
    const two = await gateway.post(
      '/v1/projects',
      project({ repositories: [{ url }, { url: 'git@github.com:Acme/Web' }] }),
    );
    expectError(two, 400, 'invalid_input', { field: 'repositories.1.url', constraint: 'exists' });
    const many = Array.from({ length: 21 }, (_, n) => ({ url: `https://github.com/acme/r${n}` }));
    const tooMany = await gateway.post('/v1/projects', project({ repositories: many }));
    expectError(tooMany, 400, 'invalid_input', { field: 'repositories', constraint: 'max_length' });
    const long = many.slice(0, 10).map((one) => ({ ...one, setup: 'x'.repeat(8_000) }));
    const tooMuch = await gateway.post('/v1/projects', project({ repositories: long }));
    expectError(tooMuch, 400, 'invalid_input', { field: 'repositories', constraint: 'max_size' });
  });

  it('in a patch as well', async () => {
    const { id } = await make();
    const response = await patch(id, { repositories: [{ url: 'ext::sh' }] });
    expectError(response, 400, 'invalid_input', { field: 'repositories.0.url', constraint: 'format' });
  });

  it('only where the installation is not local', async () => {
    const local = ['/srv/git/web.git', 'file:///srv/git/api.git', 'http://127.0.0.1:3000/acme/web'];
    const { repositories } = await make({ repositories: local.map((one) => ({ url: one })) });
    expect(repositories.map((one: Json) => one.url)).toEqual(local);
  });
});
