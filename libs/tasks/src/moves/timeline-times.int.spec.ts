import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { findBreaches } from '../../test/invariants.ts';
import { newTask } from '../../test/new-task.ts';
import { planTasks } from '../planning/plan-tasks.ts';
import { createAgent } from '../steering/create-agent.ts';
import { commentOnTask } from '../steering/comment-on-task.ts';
import { removeAgent } from '../steering/remove-agent.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { completeTask } from '../working/leases/complete-task.ts';
import { createTask } from './create-task.ts';

const test = useTestDatabase();
const agent = { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 100 };

/** The same context with a clock that is slow by that amount. */
const behind = (ctx: UseCaseContext, ms: number): UseCaseContext => ({
  ...ctx,
  clock: { ...ctx.clock, now: () => new Date(ctx.clock.now().getTime() - ms) },
});

describe('the times in a timeline', () => {
  it('never run backwards, even if each change has a slower clock', async () => {
    const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
    const { id } = await createTask(ctx, newTask());
    const planned = await createAgent(ctx, agent);
    const eventsSql = `SELECT event_id AS "eventId", event_type AS type, data FROM events WHERE tenant_id = $1`;
    await planTasks(behind(ctx, 1_000), await ctx.db.query(eventsSql, [ctx.tenantId]));
    await commentOnTask(behind(ctx, 2_000), { taskId: id, body: { content: 'first' } });
    const { id: agentId } = await createAgent(ctx, agent);
    await removeAgent(behind(ctx, 3_000), { agentId: planned.id });
    const { claim } = await claimTask(behind(ctx, 4_000), { agentId });
    const { lease_id: leaseId, fencing_token } = claim!.body.lease;
    await completeTask(behind(ctx, 5_000), { leaseId, body: { fencing_token } });
    expect(await findBreaches(ctx)).toEqual([]);
    const kindsSql = `SELECT kind FROM task_timeline WHERE tenant_id = $1 ORDER BY seq`;
    const kinds = (await ctx.db.query<{ kind: string }>(kindsSql, [ctx.tenantId])).map(({ kind }) => kind);
    expect(kinds).toEqual(['created', 'assignment', 'comment', 'assignment', 'status_change', 'status_change']);
    const [task] = await ctx.db.query('SELECT updated_at >= created_at AS is_later FROM tasks WHERE id = $1', [id]);
    expect(task).toEqual({ is_later: true });
  });
});
