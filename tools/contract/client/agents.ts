// Part of rest.test.ts: agents, and the work that they do.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, claim, clientWith, done, firstOf, isProxied, ok, path, refused } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testAgents = (run: string) =>
  describe('agents and the work they do', () => {
    const role = `contract-${run}`;
    let agentId = '';
    before(async () => {
      const body = { name: 'Ada', role, capabilities: ['typescript'], max_concurrent_tasks: 2 };
      agentId = (await ok(api.POST('/v1/agents', { body }), 201)).id;
    });

    it('are listed, read and changed', async () => {
      const list = await ok(api.GET('/v1/agents', { params: { query: { role, status: 'idle', limit: 1 } } }));
      assert.deepEqual(
        list.data.map(({ id, status }) => [id, status]),
        [[agentId, 'idle']],
      );
      const agent = await ok(api.GET('/v1/agents/{agent_id}', path('agent_id', agentId)));
      assert.deepEqual([agent.current_tasks, agent.stats.tasks_completed], [[], 0]);
      const rename = { ...path('agent_id', agentId), body: { name: 'Grace' } };
      assert.equal((await ok(api.PATCH('/v1/agents/{agent_id}', rename))).name, 'Grace');
    });

    it('claim, report and complete with a key of their own', async () => {
      const made = await ok(
        api.POST('/v1/agents/{agent_id}/keys', { ...path('agent_id', agentId), body: { name: 'of Ada' } }),
        201,
      );
      const agent = clientWith({ 'X-API-Key': made.key });
      const body = { title: 'Work', description: 'To be done', assigned_role: role };
      const task = await ok(api.POST('/v1/tasks', { body }), 201);
      const claimed = await claim(agentId, role, agent);
      assert.equal(claimed.task.id, task.id);
      const { lease_id } = claimed.lease;
      const lease = path('lease_id', lease_id);
      // As after a crash: the agent finds what it holds, and goes on.
      const { leases } = await ok(agent.GET('/v1/agents/me/leases'));
      assert.deepEqual(
        leases.map((own) => [own.lease.lease_id, own.lease.fencing_token]),
        [[lease_id, claimed.lease.fencing_token]],
      );
      const resumed = await ok(
        agent.POST('/v1/leases/{lease_id}/resume', { ...lease, body: { fencing_token: claimed.lease.fencing_token } }),
      );
      const { fencing_token } = resumed.lease;
      await ok(agent.POST('/v1/leases/{lease_id}/heartbeat', { ...lease, body: { fencing_token } }));
      const report = { fencing_token, percent_complete: 50, milestones: [{ name: 'half', completed: true }] };
      await ok(agent.POST('/v1/leases/{lease_id}/progress', { ...lease, body: report }));
      const said = [
        { kind: 'text' as const, text: 'I run the tests.' },
        { kind: 'tool' as const, id: 'call_1', title: 'npm test', status: 'completed' },
      ];
      const saying = { ...lease, body: { fencing_token, first: 1, entries: said } };
      assert.equal((await ok(agent.POST('/v1/leases/{lease_id}/session/entries', saying))).next, 3);
      const session = await ok(api.GET('/v1/tasks/{task_id}/session', path('task_id', task.id)));
      assert.deepEqual(
        session.data.map(({ number, kind }) => [number, kind]),
        [
          [1, 'text'],
          [2, 'tool'],
        ],
      );
      const stale = { ...lease, body: { fencing_token: fencing_token + 1 } };
      assert.equal((await refused(agent.POST('/v1/leases/{lease_id}/heartbeat', stale), 409)).error.code, 'conflict');
      const result = { fencing_token, summary: 'Done.', scores: { code_quality: 90 } };
      await ok(agent.POST('/v1/leases/{lease_id}/complete', { ...lease, body: result }));
      const read = await ok(api.GET('/v1/tasks/{task_id}', path('task_id', task.id)));
      assert.deepEqual([read.status, read.progress.percent_complete], ['completed', 100]);
      // There may be tasks for any role; there is none of a new project.
      const project = await ok(api.POST('/v1/projects', { body: { name: `Nothing to do ${Date.now()}` } }), 201);
      const nothing = { ...path('agent_id', agentId), body: { wait_seconds: 0, projects: [project.id] } };
      await done(agent.POST('/v1/agents/{agent_id}/claims', nothing));
    });

    it('ask, are answered, leave a checkpoint and hand off', async () => {
      const body = { title: 'Ask', description: 'To be asked', assigned_role: role };
      const task = await ok(api.POST('/v1/tasks', { body }), 201);
      const { lease_id, fencing_token } = (await claim(agentId, role)).lease;
      const lease = path('lease_id', lease_id);
      const asked = { fencing_token, kind: 'choice' as const, prompt: 'Which?', options: ['a', 'b'] };
      const { input } = await ok(api.POST('/v1/leases/{lease_id}/inputs', { ...lease, body: asked }), 201);
      const waiting = await ok(api.GET('/v1/tasks/{task_id}', path('task_id', task.id)));
      assert.deepEqual(
        [waiting.status, waiting.waiting_on?.kind, waiting.waiting_on?.id],
        ['blocked', 'person', input.id],
      );
      const pending = await ok(api.GET('/v1/inputs', { params: { query: { status: 'pending', task_id: task.id } } }));
      assert.deepEqual(
        pending.data.map(({ id }) => id),
        [input.id],
      );
      await ok(api.POST('/v1/inputs/{input_id}/answer', { ...path('input_id', input.id), body: { answer: 'b' } }));
      assert.equal((await ok(api.GET('/v1/inputs/{input_id}', path('input_id', input.id)))).answer, 'b');
      await ok(
        api.POST('/v1/tasks/{task_id}/messages', { ...path('task_id', task.id), body: { content: 'Hurry.' } }),
        201,
      );
      const { directives } = await ok(
        api.POST('/v1/leases/{lease_id}/heartbeat', { ...lease, body: { fencing_token } }),
      );
      assert.deepEqual(
        directives.map(({ kind }) => kind),
        ['answer', 'message'],
      );
      const acknowledgement = { fencing_token, directive_ids: directives.map(({ id }) => id) };
      await ok(api.POST('/v1/leases/{lease_id}/acknowledge', { ...lease, body: acknowledgement }));
      const left = { fencing_token, data: { step: 2 } };
      await ok(api.POST('/v1/leases/{lease_id}/checkpoint', { ...lease, body: left }));
      const made = { fencing_token, kind: 'commit' as const, sha: 'abc' };
      await ok(api.POST('/v1/leases/{lease_id}/artifacts', { ...lease, body: made }));
      const over = { fencing_token, to: { role }, summary: 'For the next.' };
      await ok(api.POST('/v1/leases/{lease_id}/handoff', { ...lease, body: over }));
      // The agent that hands a task off or gives it back is the last to get it again.
      const next = await ok(api.POST('/v1/agents', { body: { name: 'Next', role } }), 201);
      const again = await claim(next.id, role);
      const artifacts = await ok(api.GET('/v1/tasks/{task_id}/artifacts', path('task_id', task.id)));
      const [artifact] = artifacts.data;
      const ofArtifact = { params: { path: { task_id: task.id, artifact_id: artifact?.id ?? '' } } };
      const whole = await ok(api.GET('/v1/tasks/{task_id}/artifacts/{artifact_id}', ofArtifact));
      assert.deepEqual([artifacts.data.length, artifact?.sha, whole.content], [1, 'abc', null]);
      assert.deepEqual([again.context.checkpoint, again.context.handoff?.summary], [{ step: 2 }, 'For the next.']);
      const second = path('lease_id', again.lease.lease_id);
      const given = { fencing_token: again.lease.fencing_token, reason: 'lunch', not_before_seconds: 0 };
      await ok(api.POST('/v1/leases/{lease_id}/release', { ...second, body: given }));
      const last = await claim(next.id, role);
      const failed = { fencing_token: last.lease.fencing_token, reason: 'no compiler', retryable: false };
      await ok(api.POST('/v1/leases/{lease_id}/fail', { ...path('lease_id', last.lease.lease_id), body: failed }));
      assert.equal((await ok(api.GET('/v1/tasks/{task_id}', path('task_id', task.id)))).status, 'failed');
    });

    it('have their work reviewed by a person', async () => {
      for (const decision of ['approve', 'reject'] as const) {
        const contract = { review: { role: `${role}-reviewer` } };
        const body = { title: 'Review', description: 'To be reviewed', assigned_role: role, contract };
        const task = await ok(api.POST('/v1/tasks', { body }), 201);
        const { lease } = await claim(agentId, role);
        const result = { ...path('lease_id', lease.lease_id), body: { fencing_token: lease.fencing_token } };
        await ok(api.POST('/v1/leases/{lease_id}/complete', result));
        const decided = { ...path('task_id', task.id), body: { comment: 'Seen.' } };
        const after =
          decision === 'approve'
            ? await ok(api.POST('/v1/tasks/{task_id}/approve', decided))
            : await ok(api.POST('/v1/tasks/{task_id}/reject', decided));
        assert.equal(after.status, decision === 'approve' ? 'completed' : 'open');
        if (decision === 'reject') await done(api.DELETE('/v1/tasks/{task_id}', path('task_id', task.id)));
      }
    });

    it('are paused, resumed and drained, and know themselves', async () => {
      const agent = path('agent_id', agentId);
      assert.equal((await ok(api.POST('/v1/agents/{agent_id}/pause', agent))).accepting, false);
      assert.equal((await ok(api.POST('/v1/agents/{agent_id}/resume', agent))).accepting, true);
      assert.equal((await ok(api.POST('/v1/agents/{agent_id}/drain', agent))).accepting, false);
      await refused(api.GET('/v1/agents/me'), 404);
    });

    it('are followed by event streams', async () => {
      const task = await ok(
        api.POST('/v1/tasks', { body: { title: 'Seen', description: 'Followed', assigned_role: `${role}-followed` } }),
        201,
      );
      const ofTask = { ...path('task_id', task.id), parseAs: 'stream' as const };
      if (isProxied) return;
      assert.match(await firstOf(await ok(api.GET('/v1/tasks/{task_id}/events', ofTask))), /^(retry|id): /);
      assert.match(await firstOf(await ok(api.GET('/v1/tasks/{task_id}/session/events', ofTask))), /^(retry|id): /);
      assert.match(await firstOf(await ok(api.GET('/v1/events/stream', { parseAs: 'stream' }))), /^(retry|id): /);
    });

    it('leave, and are 404 afterwards', async () => {
      await done(api.DELETE('/v1/agents/{agent_id}', path('agent_id', agentId)));
      await refused(api.GET('/v1/agents/{agent_id}', path('agent_id', agentId)), 404);
    });
  });
