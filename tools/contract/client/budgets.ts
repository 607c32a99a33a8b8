// Part of rest.test.ts: what models cost, what agents use of them, and budgets.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { api, claim, done, ok, path, refused } from './api.ts';

/** `run` distinguishes this run of the tests from earlier ones on the same system. */
export const testBudgets = (run: string) =>
  describe('budgets, prices and usage', () => {
    const role = `budgets-${run}`;
    const model = `${role}-model`;
    let budgetId = '';
    before(async () => {
      const body = {
        scope: 'role' as const,
        scope_id: role,
        unit: 'usd' as const,
        period: 'day' as const,
        limit: 0.01,
      };
      budgetId = (await ok(api.POST('/v1/budgets', { body }), 201)).id;
    });

    it('are set, listed and changed', async () => {
      const list = await ok(api.GET('/v1/budgets', { params: { query: { scope_id: role, limit: 1 } } }));
      assert.equal(list.data[0]?.id, budgetId);
      const patch = { ...path('budget_id', budgetId), body: { warn_at_percent: 50 } };
      assert.equal((await ok(api.PATCH('/v1/budgets/{budget_id}', patch))).version, 2);
      await ok(api.PATCH('/v1/model-prices', { body: { prices: { [model]: { input: 3, output: 15 } } } }));
      const { prices } = await ok(api.GET('/v1/model-prices'));
      assert.deepEqual(prices[model], { input: 3, output: 15, cache_read: 3, cache_write: 3 });
    });

    it('hold calls of agents to them', async () => {
      const agent = await ok(api.POST('/v1/agents', { body: { name: 'Ada', role } }), 201);
      await ok(api.POST('/v1/tasks', { body: { title: 't', description: 'd', assigned_role: role } }), 201);
      const { lease_id, fencing_token } = (await claim(agent.id, role)).lease;
      const start = async (call_id: string) => {
        const body = { fencing_token, call_id, model, input_tokens: 1_000, max_output_tokens: 1_000 };
        return ok(api.POST('/v1/leases/{lease_id}/model-calls', { ...path('lease_id', lease_id), body }));
      };
      assert.equal((await start('one')).allowed, true);
      assert.equal(typeof (await start('two')).wait_ms, 'number');
      const used = { fencing_token, call_id: 'one', model, input_tokens: 1_000, output_tokens: 1_000 };
      const reporting = { ...path('lease_id', lease_id), body: used };
      assert.equal((await ok(api.POST('/v1/leases/{lease_id}/model-calls/usage', reporting))).cost_usd, 0.018);
      const { allowed, reason } = await start('two');
      assert.deepEqual([allowed, reason?.includes('0.018 of 0.01 USD')], [false, true]);
      const { current } = await ok(api.GET('/v1/budgets/{budget_id}', path('budget_id', budgetId)));
      assert.deepEqual([current?.spent, current?.is_exhausted], [0.018, true]);
      const usage = await ok(api.GET('/v1/analytics/usage', { params: { query: { group_by: 'role', key: role } } }));
      assert.equal(usage.group_by, 'role');
      const exported = { params: { query: { group_by: 'role' as const, key: role } }, parseAs: 'text' as const };
      assert.match(await ok(api.GET('/v1/analytics/usage.csv', exported)), /^at,key,calls,/);
    });

    it('go away', async () => {
      await done(api.DELETE('/v1/budgets/{budget_id}', path('budget_id', budgetId)));
      await refused(api.GET('/v1/budgets/{budget_id}', path('budget_id', budgetId)), 404);
    });
  });
