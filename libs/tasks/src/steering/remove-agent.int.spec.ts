import { newId } from '@eas/core';
import { contextInTransaction } from '@eas/db';
import { eventually, runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { findBreaches } from '../../test/invariants.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { changeTask } from './change-task.ts';
import { retryTask } from './retry-task.ts';
import { completeTask } from '../working/leases/complete-task.ts';
import { decideByHand } from './decide-by-hand.ts';
import { getTask } from '../reading/get-task.ts';
import { createTask } from '../moves/create-task.ts';
import { createAgent } from './create-agent.ts';
import { removeAgent } from './remove-agent.ts';

const test = useTestDatabase();
const agent = { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 100 };
const task = newTask();

async function setUp() {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  return { ctx, agentId: (await createAgent(ctx, agent)).id };
}

describe('removing an agent', () => {
  const plannedCount = runsOf(500, 2_000);
  it(`withdraws ${plannedCount} planned tasks at once, and publishes each`, async () => {
    const { ctx, agentId } = await setUp();
    await Promise.all(Array.from({ length: plannedCount }, () => createTask(ctx, task)));
    await ctx.db.query('UPDATE tasks SET assigned_agent = $2 WHERE tenant_id = $1', [ctx.tenantId, agentId]);
    await removeAgent(ctx, { agentId });
    const sql = `SELECT count(*) AS n FROM events WHERE tenant_id = $1 AND event_type = 'task.updated'`;
    expect(await ctx.db.query(sql, [ctx.tenantId])).toEqual([{ n: plannedCount }]);
    // Otherwise the check of the invariants would read all events for each task.
    await ctx.db.query('ANALYZE tasks, events, task_timeline');
    expect(await findBreaches(ctx)).toEqual([]);
  });

  it('waits for a concurrent claim, and withdraws its task too', async () => {
    const { ctx, agentId } = await setUp();
    const { id } = await createTask(ctx, task);
    const [isClaimed, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const claiming = ctx.inTransaction(async (tx) => {
      await claimTask(contextInTransaction(ctx, tx), { agentId });
      isClaimed.resolve();
      await mayCommit.promise;
    });
    await isClaimed.promise;
    const removing = removeAgent(ctx, { agentId });
    await eventually(isAnyoneWaiting);
    mayCommit.resolve();
    await Promise.all([claiming, removing]);
    const sql = 'SELECT status, assigned_agent AS agent FROM tasks WHERE id = $1';
    expect(await ctx.db.query(sql, [id])).toEqual([{ status: 'open', agent: null }]);
    expect(await findBreaches(ctx)).toEqual([]);
  });
});

describe('removing the agent that a review names', () => {
  /** Work in review by an agent that is named, and the review. */
  async function inReview() {
    const { ctx, agentId: author } = await setUp();
    const reviewer = (await createAgent(ctx, { ...agent, role: 'qa' })).id;
    const other = (await createAgent(ctx, { ...agent, role: 'pm' })).id;
    const { id } = await createTask(ctx, { ...task, contract: { review: { agent_id: reviewer } } });
    const { claim } = await claimTask(ctx, { agentId: author });
    const { lease_id: leaseId, fencing_token } = claim!.body.lease;
    await completeTask(ctx, { leaseId, body: { fencing_token } });
    const waitsOn = async (taskId = id) => (await getTask(ctx, taskId)).body.waiting_on;
    const reviewId = (await waitsOn())?.id ?? '';
    const statusOf = async (taskId: string) => (await getTask(ctx, taskId)).body.status;
    return { ctx, id, reviewId, reviewer, other, waitsOn, statusOf };
  }

  it.each(['that is not claimed', 'that it works on'])('leaves a review %s to a person', async (which) => {
    const { ctx, id, reviewId, reviewer, other, waitsOn, statusOf } = await inReview();
    if (which === 'that it works on') await claimTask(ctx, { agentId: reviewer });
    await removeAgent(ctx, { agentId: reviewer });
    expect(await waitsOn()).toMatchObject({ kind: 'person', id: null });
    expect((await claimTask(ctx, { agentId: other })).claim).toBeUndefined();
    expect(await statusOf(reviewId)).toBe('cancelled');
    // Reopened it would be open to any agent of the role.
    await expect(retryTask(ctx, reviewId)).rejects.toMatchObject({ violations: [{ constraint: 'state' }] });
    await decideByHand(ctx, { taskId: id, decision: 'approve' });
    expect(await statusOf(id)).toBe('completed');
    expect(await findBreaches(ctx)).toEqual([]);
  });

  it('a person cannot leave it to any agent either, and may name another agent', async () => {
    const { ctx, reviewId, other } = await inReview();
    const change = (assigned_agent: string | null) => changeTask(ctx, { taskId: reviewId, body: { assigned_agent } });
    await expect(change(null)).rejects.toMatchObject({
      violations: [{ field: 'assigned_agent', constraint: 'state' }],
    });
    expect((await change(other)).body.assigned_agent).toBe(other);
  });

  it('a contract that names it can still be changed in its other parts', async () => {
    const { ctx } = await setUp();
    const reviewer = (await createAgent(ctx, { ...agent, role: 'qa' })).id;
    const { id } = await createTask(ctx, { ...task, contract: { review: { agent_id: reviewer } } });
    await removeAgent(ctx, { agentId: reviewer });
    const changed = await changeTask(ctx, { taskId: id, body: { contract: { artifacts: ['link'] } } });
    expect(changed.body.contract).toEqual({ artifacts: ['link'], review: { agent_id: reviewer } });
    const another = changeTask(ctx, { taskId: id, body: { contract: { review: { agent_id: newId('agent') } } } });
    await expect(another).rejects.toMatchObject({ violations: [{ field: 'contract.review.agent_id' }] });
  });
});

/** Whether any session waits for a lock. */
async function isAnyoneWaiting(): Promise<boolean> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await test.database.db.query(sql)).length > 0;
}
