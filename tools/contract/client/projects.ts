// Part of rest.test.ts: projects, and the tasks that have one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, claim, ok, path, refused } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testProjects = (run: string) =>
  describe('projects', () => {
    const name = `contract-${run}`;
    let projectId = '';
    before(async () => {
      const checks = [{ name: 'tests', command: 'npm test' }];
      const repositories = [
        { url: `https://github.com/acme/${name}.git`, setup: 'npm ci', copy_files: ['.env'], checks },
      ];
      const body = { name, repositories, defaults: { assigned_role: `${name}-role` } };
      projectId = (await ok(api.POST('/v1/projects', { body }), 201)).id;
    });

    it('are listed, read and changed', async () => {
      const list = await ok(api.GET('/v1/projects', { params: { query: { name, limit: 1 } } }));
      assert.equal(list.data[0]?.id, projectId);
      const { version, repositories } = await ok(api.GET('/v1/projects/{project_id}', path('project_id', projectId)));
      assert.deepEqual([version, repositories[0]?.base_branch], [1, 'main']);
      const patch = { ...path('project_id', projectId), body: { description: 'Of the contract' } };
      assert.equal((await ok(api.PATCH('/v1/projects/{project_id}', patch))).version, 2);
    });

    it('are found by tasks, and come with claims', async () => {
      const body = { title: 'In a project', description: 'd', metadata: { repository: `acme/${name}` } };
      const task = await ok(api.POST('/v1/tasks', { body }), 201);
      assert.deepEqual([task.project, task.assigned_role], [projectId, `${name}-role`]);
      const list = await ok(api.GET('/v1/tasks', { params: { query: { project: projectId } } }));
      assert.equal(list.data[0]?.id, task.id);
      const agent = { name: 'Ada', role: `${name}-role` };
      const { id } = await ok(api.POST('/v1/agents', { body: agent }), 201);
      const { context } = await claim(id, agent.role);
      assert.deepEqual([context.project?.id, context.project?.repositories[0]?.is_named], [projectId, true]);
    });

    it('are archived, take no tasks then, and come back', async () => {
      const one = path('project_id', projectId);
      assert.ok((await ok(api.POST('/v1/projects/{project_id}/archive', one))).archived_at);
      await refused(api.POST('/v1/tasks', { body: { title: 't', description: 'd', project: projectId } }), 409);
      assert.equal((await ok(api.POST('/v1/projects/{project_id}/unarchive', one))).archived_at, null);
    });
  });
