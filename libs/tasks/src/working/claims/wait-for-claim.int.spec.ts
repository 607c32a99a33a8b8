import type { StoredEvent } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newTask } from '../../../test/new-task.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { planTasks } from '../../planning/plan-tasks.ts';
import { applyPlatformChange } from '../../steering/apply-platform-change.ts';
import { createTask } from '../../moves/create-task.ts';
import { waitForClaim } from './wait-for-claim.ts';
import { createWaitingRoom, type WaitingRoom } from './waiting-room.ts';

const test = useTestDatabase();
/** A claim that nothing woke polls again after that time: what comes before was a wake-up. */
const pollMs = 30_000;
const sightings: WaitingRoom['sightings'] = { record: () => {}, startWaiting: () => () => {} };
let room: WaitingRoom;
beforeAll(() => {
  room = createWaitingRoom(test.database.listener, new AbortController().signal, sightings);
});

async function setUp() {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  return { ctx, agent };
}

const draft = (role: string | null) => newTask({ assigned_role: role });

/** Begins to wait and gives it time to poll once. Wrapped: a promise would be awaited by whoever returns it. */
async function startWaiting(ctx: UseCaseContext, agentId: string) {
  const claimed = waitForClaim(ctx, room, { agentId, waitMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { claimed };
}

describe('a waiting claim', () => {
  it.each(['rd', null])('gets a task of role %s as soon as it is created, long before it polls', async (role) => {
    const { ctx, agent } = await setUp();
    const waiting = waitForClaim(ctx, room, { agentId: agent.id, waitMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedAt = performance.now();
    const task = await createTask(ctx, draft(role));
    expect((await waiting)?.body.task.id).toBe(task.id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('gets a task that it passed over while the task was being planned', async () => {
    const { ctx, agent } = await setUp();
    const { id } = await createTask(ctx, draft('rd'));
    const created = { type: 'task.created', data: { task_id: id } } as StoredEvent;
    const startedAt = performance.now();
    const poll = () => startWaiting(ctx, agent.id);
    const waiting = await ctx.inTransaction(async (tx) => {
      await planTasks(contextInTransaction(ctx, tx), [created]);
      return poll();
    });
    expect((await waiting.claimed)?.body.task.id).toBe(id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('gets a task that it passed over while its platform reported nothing new of it', async () => {
    const { ctx, agent } = await setUp();
    const { id } = await createTask(ctx, draft('rd'));
    const startedAt = performance.now();
    const poll = () => startWaiting(ctx, agent.id);
    const waiting = await ctx.inTransaction(async (tx) => {
      await applyPlatformChange(contextInTransaction(ctx, tx), { taskId: id, changes: { title: 't' } });
      return poll();
    });
    expect((await waiting.claimed)?.body.task.id).toBe(id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('gives up after its time', async () => {
    const { ctx, agent } = await setUp();
    expect(await waitForClaim(ctx, room, { agentId: agent.id, waitMs: 50 })).toBeUndefined();
  });

  it('is sent away when the process shuts down', async () => {
    const { ctx, agent } = await setUp();
    const shutdown = new AbortController();
    const closing = createWaitingRoom(test.database.listener, shutdown.signal, sightings);
    const waiting = waitForClaim(ctx, closing, { agentId: agent.id, waitMs: 60_000 });
    setTimeout(() => shutdown.abort(), 100);
    expect(await waiting).toBeUndefined();
  });

  it('claims nothing for a caller that went away', async () => {
    const { ctx, agent } = await setUp();
    const gone = new AbortController();
    const leaving = { ...ctx, signal: gone.signal };
    const waiting = waitForClaim(leaving, room, { agentId: agent.id, waitMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    gone.abort();
    expect(await waiting).toBeUndefined();
    await createTask(ctx, draft('rd'));
    const late = { agentId: agent.id, waitMs: 0 };
    expect(await waitForClaim(leaving, room, late)).toBeUndefined();
    const [count] = await ctx.db.query('SELECT FROM leases WHERE tenant_id = $1', [ctx.tenantId]);
    expect(count).toBeUndefined();
  });
});
