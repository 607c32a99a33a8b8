import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { findBreaches } from '../../test/invariants.ts';
import { createAgent } from './create-agent.ts';
import { getAgent } from '../reading/get-agent.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { completeTask } from '../working/leases/complete-task.ts';
import { createTask } from '../moves/create-task.ts';
import { changeTask } from './change-task.ts';
import { retryTask } from './retry-task.ts';

const test = useTestDatabase();
const hourMs = 3_600_000;
const draft = newTask();

async function setUp() {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const { id: agentId } = await createAgent(ctx, { name: 'A', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  const { id: taskId } = await createTask(ctx, draft);
  const byAgent = { ...ctx, actor: { id: agentId, agentId } };
  const patch = (by: UseCaseContext, status: 'completed' | 'open') => changeTask(by, { taskId, body: { status } });
  const stats = async () => (await getAgent(ctx, agentId)).body.stats;
  async function work(): Promise<void> {
    const { claim } = await claimTask(ctx, { agentId });
    const { lease_id: leaseId, fencing_token } = claim!.body.lease;
    await completeTask(ctx, { leaseId, body: { fencing_token, scores: { code_quality: 80 } } });
  }
  /** As if that much time had passed since the work was done. */
  async function pass(ms: number): Promise<void> {
    const earlier = `- ${ms} * interval '1 ms'`;
    const sql = `UPDATE tasks SET first_claimed_at = first_claimed_at ${earlier}, completed_at = completed_at ${earlier}
      WHERE tenant_id = $1 AND id = $2`;
    await ctx.db.query(sql, [ctx.tenantId, taskId]);
    const durations = `UPDATE task_durations SET completed_at = completed_at ${earlier} WHERE tenant_id = $1`;
    await ctx.db.query(durations, [ctx.tenantId]);
  }
  return { ctx, agentId, taskId, byAgent, patch, stats, work, pass };
}

describe('a completed task that is opened again', () => {
  it('is in the stats of the agent whose key completed it by PATCH, until it is open again', async () => {
    const { ctx, byAgent, patch, stats } = await setUp();
    await patch(byAgent, 'completed');
    expect(await stats()).toMatchObject({ tasks_completed: 1, avg_completion_time: '0h' });
    await patch(ctx, 'open');
    expect(await stats()).toMatchObject({
      tasks_completed: 0,
      avg_completion_seconds: null,
      code_quality_score: 0,
      code_quality: null,
    });
    expect(await findBreaches(ctx)).toEqual([]);
  });

  it('is reported as sent back, and as waiting from then on, by the events that follow', async () => {
    const { ctx, taskId, patch, work } = await setUp();
    const facts = async () => {
      const sql = `SELECT event_type AS type, facts ->> 'sent_back' AS "sentBack", (facts ->> 'ready_at')::timestamptz AS ready,
        facts ->> 'agent' AS agent FROM events WHERE tenant_id = $1 AND facts ->> 'sent_back' IS NOT NULL ORDER BY event_id DESC LIMIT 1`;
      return (await ctx.db.query<{ ready: Date | null }>(sql, [ctx.tenantId]))[0];
    };
    await work();
    expect(await facts()).toMatchObject({
      type: 'task.completed',
      sentBack: '0',
      ready: null,
      agent: expect.any(String),
    });
    await patch(ctx, 'open');
    expect(await facts()).toMatchObject({ type: 'task.updated', sentBack: '1', ready: expect.any(Date), agent: null });
    await work();
    const sql =
      'SELECT first_claimed_at AS claimed, reopened_at AS reopened FROM tasks WHERE tenant_id = $1 AND id = $2';
    const [row] = await ctx.db.query<{ claimed: Date; reopened: Date }>(sql, [ctx.tenantId, taskId]);
    expect(await facts()).toMatchObject({ type: 'task.completed', sentBack: '1', agent: expect.any(String) });
    expect(Math.abs(Number((await facts())?.ready) - Number(row?.reopened))).toBeLessThan(1_000);
    expect(Number(row?.claimed)).toBeGreaterThanOrEqual(Number(row?.reopened) - 1_000);
  });

  it('counts neither its first time nor the time until it is claimed again', async () => {
    const { ctx, taskId, stats, work, pass } = await setUp();
    await work();
    await pass(10 * hourMs);
    await retryTask(ctx, taskId);
    await work();
    expect(await stats()).toMatchObject({ tasks_completed: 1, avg_completion_time: '0h', code_quality: 80 });
    expect(await findBreaches(ctx)).toEqual([]);
  });
});
