// Part of rest.test.ts: forms, policies, and what agents may do with their tools.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, claim, done, ok, path } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testPermissions = (run: string) =>
  describe('forms and permissions', () => {
    const role = `permissions-${run}`;
    let [agentId, policyId, taskId] = ['', '', ''];
    let lease: { lease_id: string; fencing_token: number } = { lease_id: '', fencing_token: 0 };
    before(async () => {
      agentId = (await ok(api.POST('/v1/agents', { body: { name: 'Ada', role } }), 201)).id;
      const rules = [{ action: 'ask' as const, tool: 'execute', pattern: 'git push*' }];
      policyId = (await ok(api.POST('/v1/policies', { body: { role, rules } }), 201)).id;
      const body = { title: 'Work', description: 'To be done', assigned_role: role };
      taskId = (await ok(api.POST('/v1/tasks', { body }), 201)).id;
      lease = (await claim(agentId, role)).lease;
    });

    it('policies are listed, read, changed and deleted', async () => {
      const list = await ok(api.GET('/v1/policies', { params: { query: { role } } }));
      assert.equal(list.data[0]?.id, policyId);
      const one = path('policy_id', policyId);
      const { version, rules } = await ok(api.GET('/v1/policies/{policy_id}', one));
      assert.deepEqual([version, rules[0]?.action], [1, 'ask']);
      const more = [...rules, { action: 'deny' as const, tool: 'delete', pattern: '*' }];
      assert.equal((await ok(api.PATCH('/v1/policies/{policy_id}', { ...one, body: { rules: more } }))).version, 2);
      const other = (await ok(api.POST('/v1/policies', { body: { role: `${role}-2`, rules } }), 201)).id;
      await done(api.DELETE('/v1/policies/{policy_id}', path('policy_id', other)));
    });

    it('an agent asks, and what a person allows always is listed and taken back', async () => {
      const call = path('lease_id', lease.lease_id);
      const { fencing_token } = lease;
      const permission = { tool: 'execute' as const, title: 'Push', command: 'git push' };
      const request = { ...call, body: { fencing_token, call_id: 'call_1', permission } };
      const asked = await ok(api.POST('/v1/leases/{lease_id}/permissions', request));
      assert.deepEqual([asked.decision, asked.input?.permission?.command], ['ask', 'git push']);
      const answer = { ...path('input_id', asked.input?.id ?? ''), body: { decision: 'allow_always' as const } };
      await ok(api.POST('/v1/inputs/{input_id}/answer', answer));
      assert.equal((await ok(api.POST('/v1/leases/{lease_id}/permissions', request))).decision, 'allow');
      const { data } = await ok(api.GET('/v1/tasks/{task_id}/permissions', path('task_id', taskId)));
      assert.deepEqual(
        data.map(({ tool, subject }) => [tool, subject]),
        [['execute', 'git push']],
      );
      const params = { path: { task_id: taskId, permission_id: data[0]?.id ?? '' } };
      await done(api.DELETE('/v1/tasks/{task_id}/permissions/{permission_id}', { params }));
    });

    it('a form is filled in', async () => {
      const call = path('lease_id', lease.lease_id);
      const form = { properties: { port: { type: 'integer' as const, minimum: 1_024 } }, required: ['port'] };
      const body = { fencing_token: lease.fencing_token, kind: 'form' as const, prompt: 'Which port?', form };
      const { input } = await ok(api.POST('/v1/leases/{lease_id}/inputs', { ...call, body }), 201);
      const answer = { ...path('input_id', input.id), body: { content: { port: 8_080 } } };
      assert.deepEqual((await ok(api.POST('/v1/inputs/{input_id}/answer', answer))).content, { port: 8_080 });
    });
  });
