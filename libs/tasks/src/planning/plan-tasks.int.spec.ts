import type { StoredEvent } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { leastHoldMs, maxHoldMs, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { commentOnTask } from '../steering/comment-on-task.ts';
import { createTask } from '../moves/create-task.ts';
import { getTask } from '../reading/get-task.ts';
import { planTasks } from './plan-tasks.ts';

const test = useTestDatabase();

/** The event of a task's creation goes by the task's id. */
const plan = (ctx: UseCaseContext, taskIds: string[]) =>
  planTasks(
    ctx,
    taskIds.map((id) => ({ eventId: id, type: 'task.created', data: { task_id: id } }) as StoredEvent),
  );

const draft = (role: string | null, metadata = {}) => newTask({ assigned_role: role, metadata });

const agent = (ctx: UseCaseContext, role: string, capabilities: string[] = []) =>
  createAgent(ctx, { name: role, role, capabilities, max_concurrent_tasks: 1 });

describe('planning', () => {
  it('spreads a batch over the agents of the role, changes no status and records why', async () => {
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
    expect(entry?.data.reason).toContain('2 rd agent(s) can do the task');
  });

  it('chooses no agent that lacks a required capability', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await agent(ctx, 'rd');
    const able = await agent(ctx, 'rd', ['rust']);
    const task = await createTask(ctx, draft('rd', { required_capabilities: ['rust'] }));
    await plan(ctx, [task.id]);
    expect((await getTask(ctx, task.id)).body.assigned_agent).toBe(able.id);
  });

  it('leaves a task without agent when the role has none or it names no role', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const tasks = [await createTask(ctx, draft('unstaffed')), await createTask(ctx, draft(null))];
    await plan(
      ctx,
      tasks.map(({ id }) => id),
    );
    for (const { id } of tasks) expect((await getTask(ctx, id)).body.assigned_agent).toBeNull();
  });

  it('requeues a task that another transaction has locked, without waiting', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const able = await agent(ctx, 'rd');
    const { id: taskId } = await createTask(ctx, draft('rd'));
    const isLocked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const commenting = ctx.inTransaction(async (tx) => {
      await commentOnTask(contextInTransaction(ctx, tx), { taskId, body: { content: 'c' } });
      isLocked.resolve();
      await mayCommit.promise;
    });
    await isLocked.promise;
    const { id: freeId } = await createTask(ctx, draft('rd'));
    const first = await plan(ctx, [taskId, freeId]);
    expect([first.again, (await getTask(ctx, freeId)).body.assigned_agent]).toEqual([[taskId], able.id]);
    mayCommit.resolve();
    await commenting;
    expect(await plan(ctx, [taskId])).toEqual({ again: [] });
    expect((await getTask(ctx, taskId)).body.assigned_agent).toBe(able.id);
  });

  it('plans a task once, however often it is called', async () => {
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

/** Agents as the planner finds them when they came or went, written as the gateway and the sweep do. */
describe('planning when agents come and go', () => {
  const open = async () => test.context({ tenantId: await test.createTenant() });
  const arrived = (id: string, role = 'rd') =>
    ({ type: 'agent.arrived', data: { agent_id: id, role, after: null } }) as StoredEvent;
  const turned = (agentId: string, to: string) =>
    ({
      type: 'agent.presence_changed',
      data: { agent_id: agentId, name: 'a', role: 'rd', from: 'stale', to },
    }) as StoredEvent;
  const set = (ctx: UseCaseContext, id: string, column: string, value: unknown) =>
    ctx.db.query(`UPDATE agents SET ${column} = $3 WHERE tenant_id = $1 AND id = $2`, [ctx.tenantId, id, value]);
  const assignees = async (ctx: UseCaseContext) => {
    const sql = 'SELECT id, assigned_agent AS agent FROM tasks WHERE tenant_id = $1 ORDER BY rank, id';
    return (await ctx.db.query<{ agent: string | null }>(sql, [ctx.tenantId])).map((row) => row.agent);
  };
  /** Events that were appended for the planner. */
  const readPending = async (ctx: UseCaseContext) => {
    const sql = `SELECT event_type AS type, data FROM events WHERE tenant_id = $1 AND event_type = 'agent.arrived' ORDER BY event_id`;
    return ctx.db.query<StoredEvent>(sql, [ctx.tenantId]);
  };

  it.each([
    ['registered', 'agent.arrived'],
    ['back online', 'agent.presence_changed'],
  ])('plans what waits for an agent when one of the role is %s, and publishes that it came', async (_, type) => {
    const ctx = await open();
    const tasks = await Promise.all(['rd', 'rd', 'qa', null].map((role) => createTask(ctx, draft(role))));
    await plan(
      ctx,
      tasks.map(({ id }) => id),
    );
    const { id } = await agent(ctx, 'rd');
    expect(await readPending(ctx)).toMatchObject([
      { type: 'agent.arrived', data: { agent_id: id, role: 'rd', after: null } },
    ]);
    await planTasks(ctx, [type === 'agent.arrived' ? arrived(id) : turned(id, 'online')]);
    expect((await assignees(ctx)).filter((own) => own === id)).toHaveLength(2);
  });

  it('plans in the order of claims and in batches: however many wait, none is missed', async () => {
    const ctx = await open();
    await Promise.all(Array.from({ length: 4_500 }, () => createTask(ctx, draft('rd'))));
    const { id } = await agent(ctx, 'rd');
    for (let done = 0; done < (await readPending(ctx)).length; done += 1)
      await planTasks(ctx, (await readPending(ctx)).slice(done, done + 1));
    expect(await readPending(ctx)).toHaveLength(3);
    expect((await assignees(ctx)).filter((own) => own !== id)).toEqual([]);
  });

  it('waits for a transaction that is leaving a task without a plan because it did not see the new agent', async () => {
    const ctx = await open();
    const { id: taskId } = await createTask(ctx, draft('rd'));
    const isLocked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const planner = ctx.inTransaction(async (tx) => {
      await plan(contextInTransaction(ctx, tx), [taskId]);
      await tx.db.query('SELECT FROM tasks WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [ctx.tenantId, taskId]);
      isLocked.resolve();
      await mayCommit.promise;
    });
    await isLocked.promise;
    const { id } = await agent(ctx, 'rd');
    const arriving = planTasks(ctx, [arrived(id)]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    mayCommit.resolve();
    await Promise.all([planner, arriving]);
    expect(await assignees(ctx)).toEqual([id]);
  });

  it('prefers agents that wait in a claim, then those online', async () => {
    const ctx = await open();
    const [away, online, waiting] = [await agent(ctx, 'rd'), await agent(ctx, 'rd'), await agent(ctx, 'rd')];
    await set(ctx, online.id, 'presence', 'online');
    await set(ctx, waiting.id, 'waiting_until', new Date(Date.now() + 60_000));
    const tasks = [await createTask(ctx, draft('rd')), await createTask(ctx, draft('rd'))];
    await plan(
      ctx,
      tasks.map(({ id }) => id),
    );
    expect(await assignees(ctx)).toEqual([waiting.id, online.id]);
    await set(ctx, waiting.id, 'waiting_until', new Date(Date.now() - 1_000));
    await set(ctx, online.id, 'is_accepting', false);
    const { id } = await createTask(ctx, draft('rd'));
    await plan(ctx, [id]);
    expect((await assignees(ctx)).at(-1)).toBe(away.id);
  });

  it('withdraws planned tasks, but not pinned ones, from an offline agent if another is available', async () => {
    const ctx = await open();
    const gone = await agent(ctx, 'rd');
    const planned = await createTask(ctx, draft('rd'));
    await plan(ctx, [planned.id]);
    await createTask(ctx, { ...draft('rd'), assigned_agent: gone.id });
    await planTasks(ctx, [turned(gone.id, 'offline')]);
    expect(await assignees(ctx)).toEqual([gone.id, gone.id]);
    const other = await agent(ctx, 'rd');
    await set(ctx, other.id, 'presence', 'online');
    await planTasks(ctx, [turned(gone.id, 'offline')]);
    expect(await assignees(ctx)).toEqual([null, gone.id]);
    await plan(ctx, [planned.id]);
    expect(await assignees(ctx)).toEqual([other.id, gone.id]);
  });

  it('keeps the plans of an agent that is online again by the time of the check', async () => {
    const ctx = await open();
    const back = await agent(ctx, 'rd');
    const { id } = await createTask(ctx, draft('rd'));
    await plan(ctx, [id]);
    const other = await agent(ctx, 'rd');
    for (const one of [back, other]) await set(ctx, one.id, 'presence', 'online');
    await planTasks(ctx, [turned(back.id, 'offline')]);
    expect(await assignees(ctx)).toEqual([back.id]);
  });

  it('yields the event loop while it plans many tasks for many agents', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const { id: agentId } = await agent(ctx, 'rd');
    const { id: taskId } = await createTask(ctx, draft('rd'));
    const copy = (table: string, id: string, count: number) =>
      ctx.db.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0')))).*
         FROM ${table} t, generate_series(1, $3::int) AS n WHERE t.tenant_id = $1 AND t.id = $2`,
        [ctx.tenantId, id, count],
      );
    await copy('agents', agentId, 999);
    await copy('tasks', taskId, 1_999);
    const arrived = { type: 'agent.arrived', data: { agent_id: agentId, role: 'rd', after: null } } as StoredEvent;
    const withdrawPlans = () =>
      ctx.db.query('UPDATE tasks SET assigned_agent = NULL WHERE tenant_id = $1', [ctx.tenantId]);
    expect(await leastHoldMs(() => planTasks(ctx, [arrived]), withdrawPlans)).toBeLessThanOrEqual(maxHoldMs);
    const [planned] = await ctx.db.query<{ tasks: number; agents: number }>(
      `SELECT count(*) AS tasks, count(DISTINCT assigned_agent) AS agents FROM tasks
       WHERE tenant_id = $1 AND assigned_agent IS NOT NULL`,
      [ctx.tenantId],
    );
    expect(planned).toEqual({ tasks: 2_000, agents: 1_000 });
  });
});
