import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
let made = 0;

async function makeProject(more: object = {}): Promise<Json> {
  const name = `web-${(made += 1)}`;
  return gateway.make('/v1/projects', { name, repositories: [{ url: `https://github.com/acme/${name}` }], ...more });
}

const definition = (task: object, more: object = {}) => ({
  name: 'Update',
  description: 'd',
  estimated_duration: '1 day',
  parameters: { target: { type: 'string' } },
  steps: [{ id: 'only', name: 'Only', role: 'projects-rd', task: { title: 't', description: 'd', ...task } }],
  ...more,
});

/** The task of a run's first step. */
async function taskOf(workflow: object, parameters: object = {}): Promise<Json> {
  const { id } = await gateway.make('/v1/workflows', workflow);
  const run = await gateway.make(`/v1/workflows/${id}/start`, { name: 'r', parameters });
  const { body } = await gateway.get(`/v1/tasks?workflow_run_id=${run.workflow_run_id}`);
  return (await gateway.get(`/v1/tasks/${body.data[0].id}`)).body;
}

describe('the task of a step', () => {
  it('has the project that its template names, with a parameter too, else that of the workflow', async () => {
    const [one, other] = [await makeProject(), await makeProject()];
    const workflow = { project: other.id };
    expect(await taskOf(definition({ project: one.id }, workflow))).toMatchObject({ project: one.id });
    const templated = definition({ project: '{{parameters.target}}' }, workflow);
    expect(await taskOf(templated, { target: one.id })).toMatchObject({ project: one.id });
    expect(await taskOf(definition({}, workflow))).toMatchObject({ project: other.id });
    const inherited = definition({}, { project: '{{parameters.target}}' });
    expect(await taskOf(inherited, { target: other.id })).toMatchObject({ project: other.id });
  });

  it('has the project that metadata.repository means where none is named that can be used', async () => {
    const [one, archived] = [await makeProject(), await makeProject()];
    await gateway.post(`/v1/projects/${archived.id}/archive`, undefined);
    const metadata = { repository: '{{parameters.repository}}' };
    const parameters = { repository: one.name };
    expect(await taskOf(definition({ metadata }), parameters)).toMatchObject({ project: one.id });
    const templated = definition({ metadata, project: '{{parameters.target}}' });
    for (const target of [archived.id, 'prj_01ks0000000000000000000000', 'nothing', undefined])
      expect(await taskOf(templated, { ...parameters, target })).toMatchObject({ project: one.id });
    expect(await taskOf(definition({ metadata }), { repository: 'gone' })).toMatchObject({ project: null });
  });

  it('gets priority and tags from the defaults of its project where its template has none', async () => {
    const defaults = { priority: 'urgent', tags: ['web'], assigned_role: 'other' };
    const { id } = await makeProject({ defaults });
    const filled = { priority: 'urgent', tags: ['web'], assigned_role: 'projects-rd' };
    expect(await taskOf(definition({ project: id, priority: '{{parameters.priority}}' }))).toMatchObject(filled);
    const own = { priority: 'low', tags: ['own'] };
    expect(await taskOf(definition({ project: id, ...own }))).toMatchObject(own);
  });
});

describe('a definition', () => {
  it('is refused with a project that does not exist, and with a placeholder that nothing fills', async () => {
    const refused = async (workflow: object, field: string, constraint: string) => {
      for (const path of ['/v1/workflows', '/v1/workflows/validate'])
        expectError(await gateway.post(path, workflow), 400, 'invalid_input', { field, constraint });
    };
    await refused(definition({}, { project: 'prj_01ks0000000000000000000000' }), 'project', 'format');
    await refused(definition({ project: 'web' }), 'steps.0.task.project', 'format');
    await refused(definition({}, { project: '{{parameters.gone}}' }), 'project', 'exists');
    await refused(definition({}, { project: '{{steps.only.result.x}}' }), 'project', 'exists');
    await refused(definition({ project: '{{parameters.gone}}' }), 'steps.0.task.project', 'exists');
  });

  it('loses its project by null, and keeps one that is archived', async () => {
    const { id: project } = await makeProject();
    const { id } = await gateway.make('/v1/workflows', definition({}, { project }));
    await gateway.post(`/v1/projects/${project}/archive`, undefined);
    const patch = (body: object) => gateway.send('PATCH', `/v1/workflows/${id}`, JSON.stringify(body));
    expect((await patch({ name: 'Renamed' })).body.definition.project).toBe(project);
    expect((await patch({ project: null })).body.definition).not.toHaveProperty('project');
  });
});
