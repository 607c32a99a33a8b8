// Part of rest.test.ts: profiles, and the agents that have one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, done, ok, path, refused } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testProfiles = (run: string) =>
  describe('profiles', () => {
    const role = `contract-${run}-profile`;
    let profileId = '';
    before(async () => {
      const checks = [{ name: 'lint', command: 'npm run lint' }];
      const budgets = [{ unit: 'calls' as const, period: 'day' as const, limit: 100 }];
      const permission_rules = [{ action: 'ask' as const, tool: 'execute', pattern: 'git push*' }];
      const body = { name: role, roles: [role], instructions: 'Be brief.', checks, budgets, permission_rules };
      profileId = (await ok(api.POST('/v1/profiles', { body }), 201)).id;
    });

    it('are listed, read and changed, and what they were stays readable', async () => {
      const one = path('profile_id', profileId);
      const list = await ok(api.GET('/v1/profiles', { params: { query: { name: role, limit: 1 } } }));
      assert.deepEqual([list.data[0]?.id, list.data[0]?.roles], [profileId, [role]]);
      const changed = await ok(api.PATCH('/v1/profiles/{profile_id}', { ...one, body: { instructions: 'Be exact.' } }));
      assert.deepEqual([changed.version, changed.checks[0]?.timeout_seconds], [2, 600]);
      const query = { scope: 'profile' as const, scope_id: profileId };
      const budgets = await ok(api.GET('/v1/budgets', { params: { query } }));
      assert.deepEqual(
        budgets.data.map(({ limit, warn_at_percent: warn }) => [limit, warn]),
        [[changed.budgets[0]?.limit, changed.budgets[0]?.warn_at_percent]],
      );
      assert.equal((await ok(api.GET('/v1/profiles/{profile_id}', one))).instructions, 'Be exact.');
      const versions = await ok(api.GET('/v1/profiles/{profile_id}/versions', one));
      assert.deepEqual(
        versions.data.map(({ version }) => version),
        [2, 1],
      );
      const first = { params: { path: { profile_id: profileId, version: '1' } } };
      const before = await ok(api.GET('/v1/profiles/{profile_id}/versions/{version}', first));
      assert.equal(before.instructions, 'Be brief.');
    });

    it('are those of the agents of their roles, until they are deleted', async () => {
      const { id } = await ok(api.POST('/v1/agents', { body: { name: 'Ada', role } }), 201);
      const ofAgent = await ok(api.GET('/v1/agents/{agent_id}/profile', path('agent_id', id)));
      assert.equal(ofAgent.id, profileId);
      await done(api.DELETE('/v1/profiles/{profile_id}', path('profile_id', profileId)));
      await refused(api.GET('/v1/agents/{agent_id}/profile', path('agent_id', id)), 404);
    });
  });
