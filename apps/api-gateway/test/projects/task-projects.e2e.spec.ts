import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
let made = 0;

/** A project with a unique repository. */
async function scene(more: object = {}) {
  const name = `web-${(made += 1)}`;
  const url = `https://github.com/acme/${name}.git`;
  const project = await gateway.make('/v1/projects', { name, repositories: [{ url }], ...more });
  return { name, url, project };
}
const makeTask = (more: object): Promise<Json> =>
  gateway.make('/v1/tasks', { title: 'Work', description: 'Do it.', ...more });
const post = (more: object) => gateway.post('/v1/tasks', { title: 'Work', description: 'Do it.', ...more });
const patch = async (id: string, body: object) => gateway.send('PATCH', `/v1/tasks/${id}`, JSON.stringify(body));
const archive = (id: string) => gateway.post(`/v1/projects/${id}/archive`, undefined);

describe('a new task', () => {
  it('has the project that it names, everywhere where it is shown', async () => {
    const { project } = await scene();
    const task = await makeTask({ project: project.id });
    expect(task.project).toBe(project.id);
    expect((await gateway.get(`/v1/tasks/${task.id}`)).body.project).toBe(project.id);
    const sql = `SELECT data FROM events WHERE event_type = 'task.created' AND data ->> 'task_id' = $1`;
    expect(await gateway.test.database.db.query(sql, [task.id])).toMatchObject([{ data: { project: project.id } }]);
  });

  it('is refused for an unknown project and for one that is archived', async () => {
    const { project } = await scene();
    await archive(project.id);
    const rows = await gateway.rows();
    for (const unknown of ['prj_01ks0000000000000000000000', 'nothing'])
      expectError(await post({ project: unknown }), 400, 'invalid_input', { field: 'project', constraint: 'format' });
    const refused = await post({ project: project.id });
    expectError(refused, 409, 'conflict', { field: 'project', constraint: 'state' });
    expect(refused.body.error.message).toContain('Unarchive it');
    expect(await gateway.rows()).toEqual(rows);
  });

  it.each<[string, (name: string) => string]>([
    ['its name', (name) => name],
    ['owner and name', (name) => `Acme/${name}`],
    ['its address', (name) => `https://github.com/acme/${name}`],
    ['another form of its address', (name) => `git@github.com:acme/${name}.git`],
  ])('has the project whose repository metadata has as %s', async (_, write) => {
    const { name, project } = await scene();
    expect(await makeTask({ metadata: { repository: write(name) } })).toMatchObject({ project: project.id });
  });

  it('has none where metadata means none, several, or an archived one', async () => {
    const { name, url, project } = await scene();
    const none = { project: null };
    for (const repository of ['gone', 'acme/gone', '', '/', 5, ['web'], null])
      expect(await makeTask({ metadata: { repository } })).toMatchObject(none);
    const second = await scene({ repositories: [{ url }] });
    expect(await makeTask({ metadata: { repository: name } })).toMatchObject(none);
    await archive(project.id);
    expect(await makeTask({ metadata: { repository: name } })).toMatchObject({ project: second.project.id });
    await archive(second.project.id);
    expect(await makeTask({ metadata: { repository: name } })).toMatchObject(none);
  });

  it('has none of another tenant', async () => {
    const { name, project } = await scene();
    const key = await gateway.makeKey(['tasks:write'], { tenantId: await gateway.test.createTenant() });
    const task = { title: 't', description: 'd' };
    expect(await gateway.make('/v1/tasks', { ...task, metadata: { repository: name } }, { key })).toMatchObject({
      project: null,
    });
    const foreign = await gateway.post('/v1/tasks', { ...task, project: project.id }, { key });
    expectError(foreign, 400, 'invalid_input', { field: 'project', constraint: 'format' });
  });

  it('gets what it leaves out from the defaults of its project', async () => {
    const defaults = { assigned_role: 'projects-only', priority: 'urgent', tags: ['web'] };
    const { name, project } = await scene({ defaults });
    expect(await makeTask({ project: project.id })).toMatchObject(defaults);
    expect(await makeTask({ metadata: { repository: name }, assigned_role: null })).toMatchObject(defaults);
    const own = { assigned_role: 'other', priority: 'low', tags: [] };
    expect(await makeTask({ project: project.id, ...own })).toMatchObject(own);
    const empty = await scene();
    const plain = { assigned_role: null, priority: 'medium', tags: [] };
    expect(await makeTask({ project: empty.project.id })).toMatchObject(plain);
  });
});

describe('a task that is changed', () => {
  it('gets another project by its ID, once', async () => {
    const [one, other] = [await scene(), await scene()];
    const { id } = await makeTask({ project: one.project.id });
    const { status, body } = await patch(id, { project: other.project.id });
    expect([status, body.project]).toEqual([200, other.project.id]);
    const unknown = await patch(id, { project: 'prj_none' });
    expectError(unknown, 400, 'invalid_input', { field: 'project', constraint: 'format' });
    await archive(other.project.id);
    await archive(one.project.id);
    expectError(await patch(id, { project: one.project.id }), 409, 'conflict', {
      field: 'project',
      constraint: 'state',
    });
    const rows = await gateway.rows();
    expect((await patch(id, (await gateway.get(`/v1/tasks/${id}`)).body)).status).toBe(200);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('says so in its timeline and its event', async () => {
    const { project } = await scene();
    const { id } = await makeTask({});
    await patch(id, { project: project.id });
    const { body } = await gateway.get(`/v1/tasks/${id}/timeline?type=edit`);
    expect(body.data).toMatchObject([{ changed: ['project'] }]);
  });

  it('follows its metadata, unless it got its project by ID', async () => {
    const [one, other, given] = [await scene(), await scene(), await scene()];
    const { id } = await makeTask({ metadata: { repository: one.name } });
    const projectAfter = async (body: object) => (await patch(id, body)).body.project;
    expect(await projectAfter({ metadata: { repository: other.url } })).toBe(other.project.id);
    expect(await projectAfter({ metadata: { ticket_id: 'T-1' } })).toBe(other.project.id);
    expect(await projectAfter({ metadata: { repository: 'gone' } })).toBe(null);
    expect(await projectAfter({ metadata: { repository: one.name } })).toBe(one.project.id);
    expect(await projectAfter({ metadata: { repository: null } })).toBe(null);
    expect(await projectAfter({ project: given.project.id })).toBe(given.project.id);
    expect(await projectAfter({ metadata: { repository: one.name } })).toBe(given.project.id);
    expect(await projectAfter({ project: null })).toBe(one.project.id);
    expect(await projectAfter({ metadata: null, project: null })).toBe(null);
  });
});

describe('lists of tasks', () => {
  it('have those of a project, as it is now', async () => {
    const [one, other] = [await scene(), await scene()];
    const listed = async (query: string) =>
      (await gateway.get(`/v1/tasks?${query}`)).body.data.map(({ id }: Json) => id);
    const first = await makeTask({ project: one.project.id });
    const second = await makeTask({ metadata: { repository: one.name } });
    expect(await listed(`project=${one.project.id}`)).toEqual([second.id, first.id]);
    expect(await listed(`project=${one.project.id}&status=open`)).toEqual([]);
    await patch(first.id, { project: other.project.id });
    expect(await listed(`project=${one.project.id}`)).toEqual([second.id]);
    expect(await listed(`project=${other.project.id}`)).toEqual([first.id]);
    expect(await listed('project=prj_none')).toEqual([]);
  });
});

describe('a claim', () => {
  const claimBy = async (role: string): Promise<Json> => {
    const { id } = await gateway.make('/v1/agents', { name: 'Ada', role });
    return (await gateway.post(`/v1/agents/${id}/claims`, {})).body;
  };

  it('brings the project with its repositories, the one that the task names first', async () => {
    const checks = [{ name: 'tests', command: 'npm test', timeout_seconds: 60 }];
    const name = `api-${(made += 1)}`;
    const repositories = [
      { url: `https://github.com/acme/shop-${made}.git` },
      { url: `git@github.com:acme/${name}.git`, setup: 'npm ci', copy_files: ['.env'], base_branch: 'dev', checks },
    ];
    const { project } = await scene({ repositories });
    const role = `claims-${made}`;
    const task = await makeTask({ assigned_role: role, metadata: { repository: name } });
    expect(task.project).toBe(project.id);
    const [shop, api] = project.repositories;
    expect((await claimBy(role)).context.project).toEqual({
      id: project.id,
      name: project.name,
      repositories: [
        { ...api, is_named: true },
        { ...shop, is_named: false },
      ],
    });
    await makeTask({ assigned_role: role, project: project.id });
    expect((await claimBy(role)).context.project.repositories).toEqual([
      { ...shop, is_named: false },
      { ...api, is_named: false },
    ]);
  });

  it('brings the project as it is then, also an archived one, and again when the lease is resumed', async () => {
    const { project } = await scene();
    const role = `claims-archived-${made}`;
    await makeTask({ assigned_role: role, project: project.id });
    await gateway.send('PATCH', `/v1/projects/${project.id}`, JSON.stringify({ name: `Renamed ${made}` }));
    await archive(project.id);
    const { lease, context } = await claimBy(role);
    expect(context.project).toMatchObject({ id: project.id, name: `Renamed ${made}` });
    const { fencing_token: token, lease_id: leaseId } = lease;
    const resumed = await gateway.post(`/v1/leases/${leaseId}/resume`, { fencing_token: token });
    expect(resumed.body.context.project).toEqual(context.project);
  });

  it('of a review brings the project of the work', async () => {
    const { project } = await scene({ defaults: { tags: ['web'], priority: 'urgent' } });
    const role = `claims-review-${made}`;
    const contract = { review: { role: `${role}-qa` } };
    await makeTask({ assigned_role: role, project: project.id, priority: 'low', contract });
    const { lease } = await claimBy(role);
    await gateway.post(`/v1/leases/${lease.lease_id}/complete`, { fencing_token: lease.fencing_token });
    await archive(project.id);
    const review = await claimBy(`${role}-qa`);
    expect(review).toMatchObject({
      task: { project: project.id, priority: 'low', tags: [] },
      context: { project: { id: project.id } },
    });
  });
});
