import { newId } from '@eas/core';
import { contextInTransaction } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { findBreaches } from '../../test/invariants.ts';
import { claimTask } from '../claims/claim-task.ts';
import { createTask } from '../tasks/create-task.ts';
import { createAgent } from './create-agent.ts';
import { removeAgent } from './remove-agent.ts';

const test = useTestDatabase();
const agent = { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 100 };
const task = {
  ...{ title: 't', description: 'd', priority: 'medium' as const, due_date: null, assigned_role: 'rd' },
  ...{ assigned_agent: null, tags: [], metadata: {} },
};

async function setUp() {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  return { ctx, agentId: (await createAgent(ctx, agent)).id };
}

describe('removing an agent', () => {
  it('takes 2,000 planned tasks away in one go, and tells of each', async () => {
    const { ctx, agentId } = await setUp();
    await Promise.all(Array.from({ length: 2_000 }, () => createTask(ctx, task)));
    await ctx.db.query('UPDATE tasks SET assigned_agent = $2 WHERE tenant_id = $1', [ctx.tenantId, agentId]);
    await removeAgent(ctx, { agentId });
    const sql = `SELECT count(*) AS n FROM events WHERE tenant_id = $1 AND event_type = 'task.updated'`;
    expect(await ctx.db.query(sql, [ctx.tenantId])).toEqual([{ n: 2_000 }]);
    expect(await findBreaches(ctx)).toEqual([]);
  });

  it('waits for a claim that is just being made, and takes its task away too', async () => {
    const { ctx, agentId } = await setUp();
    const { id } = await createTask(ctx, task);
    const [isClaimed, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const claiming = ctx.inTransaction(async (tx) => {
      await claimTask(contextInTransaction(ctx, tx), { agentId, leaseSeconds: 60 });
      isClaimed.resolve();
      await mayCommit.promise;
    });
    await isClaimed.promise;
    const removing = removeAgent(ctx, { agentId });
    expect(await somebodyWaits()).toBe(true);
    mayCommit.resolve();
    await Promise.all([claiming, removing]);
    const sql = 'SELECT status, assigned_agent AS agent FROM tasks WHERE id = $1';
    expect(await ctx.db.query(sql, [id])).toEqual([{ status: 'open', agent: null }]);
    expect(await findBreaches(ctx)).toEqual([]);
  });
});

/** True as soon as somebody waits for a lock. */
async function somebodyWaits(): Promise<boolean> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await test.database.db.query(sql)).length > 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}
