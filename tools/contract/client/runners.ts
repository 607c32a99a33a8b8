// Part of rest.test.ts: the processes that work for an agent.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, done, isProxied, ok, path, refused } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testRunners = (run: string) =>
  describe('runners', () => {
    let runnerId = '';
    const body = { agent_id: '', instance: run, host: 'contract', version: '0.1.0', concurrency: 2 };
    before(async () => {
      body.agent_id = (await ok(api.POST('/v1/agents', { body: { name: 'Runs', role: `runner-${run}` } }), 201)).id;
      runnerId = (await ok(api.POST('/v1/runners', { body }), 201)).id;
    });

    it('register once, and are listed and read', async () => {
      assert.equal((await ok(api.POST('/v1/runners', { body }))).id, runnerId);
      const query = { agent_id: body.agent_id, presence: 'online' } as const;
      const list = await ok(api.GET('/v1/runners', { params: { query } }));
      assert.equal(list.data[0]?.id, runnerId);
      const { preset, running } = await ok(api.GET('/v1/runners/{runner_id}', path('runner_id', runnerId)));
      assert.deepEqual([preset, running], [null, 0]);
    });

    it('are notified that they are to end, and leave', async () => {
      const one = path('runner_id', runnerId);
      assert.ok((await ok(api.POST('/v1/runners/{runner_id}/drain', one))).draining);
      const beat = { ...one, body: { running: 1 } };
      assert.ok((await ok(api.POST('/v1/runners/{runner_id}/heartbeat', beat))).drain);
      await done(api.DELETE('/v1/runners/{runner_id}', one));
      await refused(api.POST('/v1/runners/{runner_id}/heartbeat', beat), 404);
    });
  });

export const testLocalRunners = () =>
  describe('runners on the machine of the service', () => {
    it('are listed with the supported coding agents', async () => {
      const { available, agents, runners } = await ok(api.GET('/v1/local-runners'));
      assert.deepEqual([available, runners], [true, []]);
      assert.ok(agents.every(({ preset, title }) => preset !== undefined && title !== undefined));
    });

    it('are refused with the documented error', async () => {
      const body = { preset: 'claude', role: 'no role' } as const;
      if (!isProxied) await refused(api.POST('/v1/local-runners', { body }), 400);
      const unknown = path('agent_id', 'agt_00000000000000000000000000');
      await refused(api.POST('/v1/local-runners/{agent_id}/retry', unknown), 404);
      await refused(api.DELETE('/v1/local-runners/{agent_id}', unknown), 404);
    });
  });
