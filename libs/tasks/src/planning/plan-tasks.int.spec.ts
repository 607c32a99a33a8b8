import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createAgent } from '../agents/create-agent.ts';
import { createTask } from '../tasks/create-task.ts';
import { getTask } from '../tasks/get-task.ts';
import { planTasks } from './plan-tasks.ts';

const test = useTestDatabase();

async function plan(ctx: UseCaseContext, taskIds: string[]): Promise<void> {
  await planTasks(
    ctx,
    taskIds.map((id) => ({ type: 'task.created', data: { task_id: id } }) as StoredEvent),
  );
}

const draft = (role: string | null, metadata = {}) => ({
  title: 't',
  description: 'd',
  priority: 'medium' as const,
  due_date: null,
  assigned_role: role,
  assigned_agent: null,
  tags: [],
  metadata,
});

const agent = (ctx: UseCaseContext, role: string, capabilities: string[] = []) =>
  createAgent(ctx, { name: role, role, capabilities, max_concurrent_tasks: 1 });

describe('planning', () => {
  it('spreads a batch over the agents of the role, changes no status and tells why', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const agents = [await agent(ctx, 'rd'), await agent(ctx, 'rd')];
    await agent(ctx, 'qa');
    const tasks = await Promise.all([1, 2, 3, 4].map(() => createTask(ctx, draft('rd'))));
    await plan(
      ctx,
      tasks.map(({ id }) => id),
    );
    const planned = await Promise.all(tasks.map(async ({ id }) => (await getTask(ctx, id)).body));
    expect(planned.map(({ status }) => status)).toEqual(Array(4).fill('created'));
    for (const { id } of agents) expect(planned.filter((task) => task.assigned_agent === id)).toHaveLength(2);
    const [entry] = await ctx.db.query<{ data: { reason: string } }>(
      "SELECT data FROM task_timeline WHERE tenant_id = $1 AND kind = 'assignment'",
      [ctx.tenantId],
    );
    expect(entry?.data.reason).toContain('2 accepting rd agent(s)');
  });

  it('prefers nobody who lacks a required capability', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await agent(ctx, 'rd');
    const able = await agent(ctx, 'rd', ['rust']);
    const task = await createTask(ctx, draft('rd', { required_capabilities: ['rust'] }));
    await plan(ctx, [task.id]);
    expect((await getTask(ctx, task.id)).body.assigned_agent).toBe(able.id);
  });

  it('leaves a task without agent when the role has none or it names no role', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const tasks = [await createTask(ctx, draft('nobody')), await createTask(ctx, draft(null))];
    await plan(
      ctx,
      tasks.map(({ id }) => id),
    );
    for (const { id } of tasks) expect((await getTask(ctx, id)).body.assigned_agent).toBeNull();
  });

  it('plans a task once, however often it is asked', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await agent(ctx, 'rd');
    const task = await createTask(ctx, draft('rd'));
    await plan(ctx, [task.id, task.id]);
    await plan(ctx, [task.id]);
    const rows = await ctx.db.query("SELECT FROM events WHERE tenant_id = $1 AND event_type = 'task.assigned'", [
      ctx.tenantId,
    ]);
    expect(rows).toHaveLength(1);
  });
});
