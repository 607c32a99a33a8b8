import type { StoredEvent } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { ignoredSightings, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newTask } from '../../../test/new-task.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { planTasks } from '../../planning/plan-tasks.ts';
import { platformChanges } from '../../steering/platform-changes.ts';
import { createTask } from '../../moves/create-task.ts';
import { cancelTask } from '../../steering/cancel-task.ts';
import { changeAgent } from '../../steering/change-agent.ts';
import { askInput } from '../leases/ask-input.ts';
import { completeTask } from '../leases/complete-task.ts';
import { failTask } from '../leases/fail-task.ts';
import { handOffTask } from '../leases/hand-off-task.ts';
import { releaseTask } from '../leases/release-task.ts';
import { waitForClaim } from './wait-for-claim.ts';
import { createWaitingClaims, type WaitingClaims } from './waiting-claims.ts';

const test = useTestDatabase();
/** A claim without a wake-up polls again after that time: an earlier poll was a wake-up. */
const pollMs = 30_000;
let waitingClaims: WaitingClaims;
beforeAll(() => {
  waitingClaims = createWaitingClaims(test.database.listener, new AbortController().signal, ignoredSightings);
});

async function setUp() {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  return { ctx, agent };
}

const draft = (role: string | null) => newTask({ assigned_role: role });

/** Starts waiting and allows time for one poll. Wrapped, since a returned promise would be awaited. */
async function startWaiting(ctx: UseCaseContext, agentId: string) {
  const claimed = waitForClaim(ctx, waitingClaims, { agentId, waitMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { claimed };
}

describe('a waiting claim', () => {
  it.each(['rd', null])('gets a task of role %s as soon as it is created, long before it polls', async (role) => {
    const { ctx, agent } = await setUp();
    const waiting = waitForClaim(ctx, waitingClaims, { agentId: agent.id, waitMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedAt = performance.now();
    const task = await createTask(ctx, draft(role));
    expect((await waiting)?.body.task.id).toBe(task.id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('gets a task that it skipped while the task was being planned', async () => {
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

  it('gets a task that it skipped while its platform reported no change', async () => {
    const { ctx, agent } = await setUp();
    const { id } = await createTask(ctx, draft('rd'));
    const startedAt = performance.now();
    const poll = () => startWaiting(ctx, agent.id);
    const waiting = await ctx.inTransaction(async (tx) => {
      const changes = platformChanges(tx);
      await changes.apply(contextInTransaction(ctx, tx), { taskId: id, changes: { title: 't' } });
      changes.save();
      return poll();
    });
    expect((await waiting.claimed)?.body.task.id).toBe(id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('gives up after its time', async () => {
    const { ctx, agent } = await setUp();
    expect(await waitForClaim(ctx, waitingClaims, { agentId: agent.id, waitMs: 50 })).toBeUndefined();
  });

  it('ends when the process shuts down', async () => {
    const { ctx, agent } = await setUp();
    const shutdown = new AbortController();
    const closing = createWaitingClaims(test.database.listener, shutdown.signal, ignoredSightings);
    const waiting = waitForClaim(ctx, closing, { agentId: agent.id, waitMs: 60_000 });
    setTimeout(() => shutdown.abort(), 100);
    expect(await waiting).toBeUndefined();
  });

  it('claims nothing for a caller that went away', async () => {
    const { ctx, agent } = await setUp();
    const gone = new AbortController();
    const leaving = { ...ctx, signal: gone.signal };
    const waiting = waitForClaim(leaving, waitingClaims, { agentId: agent.id, waitMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    gone.abort();
    expect(await waiting).toBeUndefined();
    await createTask(ctx, draft('rd'));
    const late = { agentId: agent.id, waitMs: 0 };
    expect(await waitForClaim(leaving, waitingClaims, late)).toBeUndefined();
    const [count] = await ctx.db.query('SELECT FROM leases WHERE tenant_id = $1', [ctx.tenantId]);
    expect(count).toBeUndefined();
  });
});

describe('a waiting claim of an agent that is full', () => {
  /** An agent that works on a task, a task that waits, and a claim that waits for a slot. */
  async function setUpFull() {
    const { ctx, agent } = await setUp();
    await createTask(ctx, draft('rd'));
    const held = await waitForClaim(ctx, waitingClaims, { agentId: agent.id, waitMs: 0 });
    if (!held) throw new Error('nothing was claimed');
    const next = await createTask(ctx, draft('rd'));
    const { claimed } = await startWaiting(ctx, agent.id);
    const { lease_id: leaseId, fencing_token } = held.body.lease;
    const call = <Body extends object>(body: Body) => ({ leaseId, body: { fencing_token, ...body } });
    return { ctx, agent, held: held.body, next, claimed, call };
  }
  type Full = Awaited<ReturnType<typeof setUpFull>>;

  const question = { kind: 'question' as const, prompt: 'p', options: [], blocking: true, expires_in_seconds: 60 };
  it.each<[string, (full: Full) => Promise<unknown>]>([
    ['is completed', ({ ctx, call }) => completeTask(ctx, call({}))],
    ['fails', ({ ctx, call }) => failTask(ctx, call({ reason: 'r', retryable: true }))],
    ['is released', ({ ctx, call }) => releaseTask(ctx, call({}))],
    ['is handed over', ({ ctx, call }) => handOffTask(ctx, call({ to: { role: 'qa' }, summary: 's' }))],
    ['waits for a person', ({ ctx, call }) => askInput(ctx, call(question))],
    ['is cancelled', ({ ctx, held }) => cancelTask(ctx, { taskId: held.task.id })],
    [
      'is no longer all that it may hold',
      ({ ctx, agent: { id } }) => changeAgent(ctx, { agentId: id, body: { max_concurrent_tasks: 2 } }),
    ],
  ])('gets a task as soon as the one that it holds %s', async (_, end) => {
    const full = await setUpFull();
    const startedAt = performance.now();
    await end(full);
    expect((await full.claimed)?.body.task.id).toBe(full.next.id);
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('waits for work once it has a slot, and for a slot once another claim has filled it', async () => {
    const { ctx, agent, claimed, next, call } = await setUpFull();
    const second = await startWaiting(ctx, agent.id);
    await completeTask(ctx, call({}));
    const [done, waiting] = await Promise.race([
      claimed.then((claim) => [claim, second.claimed] as const),
      second.claimed.then((claim) => [claim, claimed] as const),
    ]);
    expect(done?.body.task.id).toBe(next.id);
    const { lease_id: leaseId, fencing_token } = done?.body.lease ?? { lease_id: '', fencing_token: 0 };
    await completeTask(ctx, { leaseId, body: { fencing_token } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const last = await createTask(ctx, draft('rd'));
    expect((await waiting)?.body.task.id).toBe(last.id);
  });

  it('does not consume the wake-up of an agent that has a slot', async () => {
    const { ctx, claimed, call } = await setUpFull();
    const other = await createAgent(ctx, { name: 'Bo', role: 'rd', capabilities: [], max_concurrent_tasks: 2 });
    expect(await waitForClaim(ctx, waitingClaims, { agentId: other.id, waitMs: 0 })).toBeDefined();
    const { claimed: free } = await startWaiting(ctx, other.id);
    const { id } = await createTask(ctx, draft('rd'));
    expect((await free)?.body.task.id).toBe(id);
    const last = await createTask(ctx, draft('rd'));
    await completeTask(ctx, call({}));
    expect((await claimed)?.body.task.id).toBe(last.id);
  });

  it('is refused when its time is over', async () => {
    const { ctx, agent, claimed, call } = await setUpFull();
    const refused = waitForClaim(ctx, waitingClaims, { agentId: agent.id, waitMs: 50 });
    await expect(refused).rejects.toMatchObject({ violations: [{ field: 'agent_id', constraint: 'limit' }] });
    await completeTask(ctx, call({}));
    expect(await claimed).toBeDefined();
  });
});
