// Part of rest.test.ts: workflows and the responses about their runs.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, claim, done, firstOf, isProxied, ok, path, refused, until } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testWorkflows = (run: string) =>
  describe('workflows and their runs', () => {
    const role = `contract-${run}-steps`;
    let agentId = '';
    let workflowId = '';
    const step = (id: string, more: object = {}) => ({
      id,
      name: `Step ${id}`,
      role,
      needs: [] as string[],
      task: { title: `${id} of {{run.name}}`, description: 'To be done' },
      ...more,
    });
    before(async () => {
      agentId = (await ok(api.POST('/v1/agents', { body: { name: 'Ada', role, max_concurrent_tasks: 5 } }), 201)).id;
      const steps = [step('build'), step('ship', { needs: ['build'], approval: { person: true as const } })];
      const body = { name: 'Contract', description: 'Of the contract', estimated_duration: '1 hour', steps };
      workflowId = (await ok(api.POST('/v1/workflows', { body }), 201)).id;
    });
    const start = (name: string) =>
      ok(api.POST('/v1/workflows/{workflow_id}/start', { ...path('workflow_id', workflowId), body: { name } }), 201);
    const read = (id: string) => ok(api.GET('/v1/runs/{run_id}', path('run_id', id)));
    /** Claims the next step and completes it, or says that it cannot be done. */
    const work = async (isDone = true) => {
      const { lease } = await claim(agentId, role);
      const { fencing_token } = lease;
      const call = path('lease_id', lease.lease_id);
      const failed = { ...call, body: { fencing_token, reason: 'No compiler.', retryable: false } };
      if (!isDone) return ok(api.POST('/v1/leases/{lease_id}/fail', failed));
      return ok(api.POST('/v1/leases/{lease_id}/complete', { ...call, body: { fencing_token, result: { sha: 'a' } } }));
    };
    const untilWaiting = async (id: string) => {
      await until(async () => (await read(id)).current_step?.status === 'awaiting_approval');
      const stepId = (await read(id)).current_step?.id ?? '';
      return { params: { path: { run_id: id, step_id: stepId } }, body: { comment: 'Seen.' } };
    };

    it('are checked without being made', async () => {
      const body = {
        name: 'Checked',
        description: 'Of the contract',
        estimated_duration: '1 hour',
        steps: [step('a')],
      };
      await done(api.POST('/v1/workflows/validate', { body }));
    });

    it('are defined, listed without metadata, read and changed', async () => {
      const { data } = await ok(api.GET('/v1/workflows', { params: { query: { limit: 100 } } }));
      assert.ok(data.some(({ id, steps }) => id === workflowId && steps === 2));
      assert.ok(data.some(({ name }) => name !== 'Contract'));
      const one = path('workflow_id', workflowId);
      assert.equal((await ok(api.GET('/v1/workflows/{workflow_id}', one))).version, 1);
      const patch = { ...one, body: { estimated_duration: '2 hours' } };
      assert.equal((await ok(api.PATCH('/v1/workflows/{workflow_id}', patch))).version, 2);
    });

    it('are archived, start no run then, and come back', async () => {
      const one = path('workflow_id', workflowId);
      assert.ok((await ok(api.POST('/v1/workflows/{workflow_id}/archive', one))).archived_at);
      const query = { id: workflowId, is_archived: 'true' as const };
      assert.equal((await ok(api.GET('/v1/workflows', { params: { query } }))).data.length, 1);
      await refused(api.POST('/v1/workflows/{workflow_id}/start', { ...one, body: { name: 'Refused' } }), 409);
      assert.equal((await ok(api.POST('/v1/workflows/{workflow_id}/unarchive', one))).archived_at, null);
    });

    it('are worked on by agents, rejected, approved and completed', async () => {
      const { workflow_run_id: id, current_step: first, next_steps: next } = await start('Worked on');
      assert.deepEqual([first?.assignee, first?.status, next.length], [agentId, 'in_progress', 1]);
      await work();
      await work();
      const rejected = await ok(api.POST('/v1/runs/{run_id}/steps/{step_id}/reject', await untilWaiting(id)));
      assert.deepEqual([rejected.status, rejected.steps[1]?.attempt], ['started', 2]);
      await work();
      const approved = await ok(api.POST('/v1/runs/{run_id}/steps/{step_id}/approve', await untilWaiting(id)));
      assert.deepEqual([approved.status, approved.steps[0]?.result], ['completed', { sha: 'a' }]);
      const timeline = await ok(api.GET('/v1/runs/{run_id}/timeline', path('run_id', id)));
      assert.equal(timeline.data[0]?.type, 'completed');
      const query = { workflow_id: workflowId, status: 'completed' as const, sort: '-started_at' as const };
      const list = await ok(api.GET('/v1/runs', { params: { query } }));
      assert.deepEqual(
        list.data.map(({ workflow_run_id: run }) => run),
        [id],
      );
    });

    it('are paused, resumed, tried again and cancelled', async () => {
      const { workflow_run_id: id } = await start('Steered');
      const one = path('run_id', id);
      assert.notEqual((await ok(api.POST('/v1/runs/{run_id}/pause', one))).paused_at, null);
      assert.equal((await ok(api.POST('/v1/runs/{run_id}/resume', one))).paused_at, null);
      await work(false);
      await until(async () => (await read(id)).status === 'failed');
      assert.equal((await ok(api.POST('/v1/runs/{run_id}/retry', one))).status, 'started');
      assert.equal((await ok(api.POST('/v1/runs/{run_id}/cancel', one))).status, 'cancelled');
      assert.equal((await refused(api.POST('/v1/runs/{run_id}/cancel', one), 409)).error.code, 'conflict');
      if (isProxied) return;
      const stream = await ok(api.GET('/v1/runs/{run_id}/events', { ...one, parseAs: 'stream' }));
      assert.match(await firstOf(stream), /^(retry|id): /);
    });
  });
