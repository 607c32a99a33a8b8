import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../../test/new-task.ts';
import { claimTask } from '../claims/claim-task.ts';
import { completeTask } from './complete-task.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { createTask } from '../../moves/create-task.ts';
import type { NewTask } from '../../moves/new-task.ts';
import { getAgent } from '../../reading/get-agent.ts';
import { getTask } from '../../reading/get-task.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import { sweepExpiredLeases } from '../../sweeping/lease.sweeper.ts';
import { giveBack } from '../claims/wait-for-claim.ts';
import { releaseClaim } from '../claims/release-claim.ts';
import { platformChanges } from '../../steering/platform-changes.ts';
import { listAgents } from '../../reading/list-agents.ts';
import { reportProgress } from './report-progress.ts';

const test = useTestDatabase();
const firstPage = {
  limit: 20,
  offset: 0,
  after: undefined,
  sort: { field: 'created_at' as const, isDescending: true },
};

/** A tenant of its own with one agent of role rd, and contexts to act as a person and as that agent. */
async function setUp(maxConcurrentTasks = 1) {
  const tenantId = await test.createTenant();
  const person = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = await createAgent(person, {
    name: 'Ada',
    role: 'rd',
    capabilities: [],
    max_concurrent_tasks: maxConcurrentTasks,
  });
  const asAgent = test.context({ tenantId, actor: { id: agent.id, agentId: agent.id } });
  return { tenantId, person, agent, asAgent };
}

const draft = (given: Partial<NewTask> = {}) =>
  newTask({ title: 'Fix the login', description: 'It fails on Mondays.', ...given });

async function claimed(ctx: UseCaseContext, agentId: string) {
  const { claim } = await claimTask(ctx, { agentId });
  if (!claim) throw new Error('nothing was claimed');
  const result = claim.body;
  const { lease_id: leaseId, fencing_token: token } = result.lease;
  return { ...result, leaseId, token };
}

const eventTypes = async (tenantId: string) =>
  (
    await test.database.db.query<{ type: string }>(
      "SELECT event_type AS type FROM events WHERE tenant_id = $1 AND event_type LIKE 'task.%' ORDER BY event_id",
      [tenantId],
    )
  ).map(({ type }) => type);

describe('claiming', () => {
  it('gives the task, starts it, records the change and publishes it', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const claim = await claimed(asAgent, agent.id);
    expect(claim.task).toMatchObject({ id: task.id, status: 'in_progress', assigned_agent: agent.id });
    expect(claim.token).toBe(1);
    const { activity } = (await getTask(person, task.id)).body;
    expect(activity).toEqual([expect.objectContaining({ type: 'status_change', from: 'created', to: 'in_progress' })]);
    expect(await eventTypes(tenantId)).toEqual(['task.created', 'task.started']);
  });

  it('follows the rank: priority first, then age', async () => {
    const { person, agent, asAgent } = await setUp(3);
    const old = await createTask(person, draft());
    const young = await createTask(person, draft());
    const urgent = await createTask(person, draft({ priority: 'urgent' }));
    const order = [];
    for (let n = 0; n < 3; n += 1) order.push((await claimed(asAgent, agent.id)).task.id);
    expect(order).toEqual([urgent.id, old.id, young.id]);
  });

  it('returns nothing to a busy agent, and refuses another agent’s key with 403', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    await createTask(person, draft());
    await claimed(asAgent, agent.id);
    expect(await claimTask(asAgent, { agentId: agent.id })).toMatchObject({ claim: undefined, isFull: true });
    const stranger = test.context({ tenantId, actor: { id: 'x', agentId: newId('agent') } });
    await expect(claimed(stranger, agent.id)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('skips tasks of other roles, held tasks, tasks pinned to others and missing capabilities', async () => {
    const { person, asAgent, agent } = await setUp();
    const other = await createAgent(person, { name: 'Bo', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
    await createTask(person, draft({ assigned_role: 'qa' }));
    await createTask(person, draft({ is_held: true } as never));
    await createTask(person, draft({ assigned_agent: other.id }));
    await createTask(person, draft({ metadata: { required_capabilities: ['rust'] } }));
    expect((await claimTask(asAgent, { agentId: agent.id })).claim).toBeUndefined();
  });

  it.each([
    ['a text', 'rust'],
    ['numbers', [1]],
    ['nothing', null],
  ])('reads required_capabilities of %s as none', async (_, required) => {
    const { person, asAgent, agent } = await setUp();
    const task = await createTask(person, draft({ metadata: { required_capabilities: required } }));
    expect((await claimed(asAgent, agent.id)).task.id).toBe(task.id);
  });

  it('takes a task without a role when there is none of its own', async () => {
    const { person, asAgent, agent } = await setUp(2);
    const open = await createTask(person, draft({ assigned_role: null, priority: 'critical' }));
    const own = await createTask(person, draft());
    expect((await claimed(asAgent, agent.id)).task.id).toBe(own.id);
    expect((await claimed(asAgent, agent.id)).task.id).toBe(open.id);
  });

  it('finds a task pinned to the agent that has no role', async () => {
    const { person, asAgent, agent } = await setUp();
    const task = await createTask(person, draft({ assigned_role: null, assigned_agent: agent.id }));
    expect((await claimed(asAgent, agent.id)).task.id).toBe(task.id);
  });

  it('never assigns a task twice to agents that claim at once', async () => {
    const { tenantId, person } = await setUp();
    const agents = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        createAgent(person, { name: `a${n}`, role: 'rd', capabilities: [], max_concurrent_tasks: 10 }),
      ),
    );
    await Promise.all(Array.from({ length: 40 }, () => createTask(person, draft())));
    const admin = test.context({ tenantId, actor: { id: 'x', isAdmin: true } });
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, n) => claimTask(admin, { agentId: agents[n % 12]!.id })),
    );
    const ids = results.flatMap(({ claim }) => (claim ? [claim.body.task.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(40);
    const { items } = await listAgents(person, {}, firstPage);
    const busy = items.filter(({ status }) => status !== 'idle');
    expect(busy.length).toBeGreaterThan(0);
  });

  it('refuses an assigned_agent that does not exist and writes nothing', async () => {
    const { tenantId, person } = await setUp();
    const wrong = createTask(person, draft({ assigned_agent: newId('agent') }));
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input', violations: [{ field: 'assigned_agent' }] });
    expect(await eventTypes(tenantId)).toEqual([]);
  });
});

describe('working under a lease', () => {
  it('reports progress, milestones and comments', async () => {
    const { person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    const milestones = [
      { name: 'plan', completed: true },
      { name: 'code', completed: false },
    ];
    const report = { fencing_token: token, milestones, estimate_remaining: '3h', comment: 'half way' };
    await reportProgress(asAgent, { leaseId, body: report });
    const { body: read } = await getTask(person, task.id);
    expect(read.progress).toEqual({
      percent_complete: 50,
      estimate_remaining: '3h',
      estimate_remaining_hours: 3,
      milestones,
    });
    expect(read.activity.at(-1)).toMatchObject({ type: 'comment', content: 'half way' });
  });

  it('renews the lease with a heartbeat', async () => {
    const { person, agent, asAgent } = await setUp();
    await createTask(person, draft());
    const { leaseId, token, lease } = await claimed(asAgent, agent.id);
    await test.shiftClock(600);
    const early = heartbeatLease(asAgent, { leaseId, body: { fencing_token: token } });
    await expect(early).rejects.toThrow('no longer held');
    await test.shiftClock(30);
    const renewed = await heartbeatLease(asAgent, { leaseId, body: { fencing_token: token } });
    await test.shiftClock(0);
    expect(Date.parse(renewed.expires_at ?? '')).toBeGreaterThan(Date.parse(lease.expires_at) + 20_000);
  });

  it.each([
    ['another token', (token: number) => token + 1, 'conflict'],
    ['the right token from another agent', (token: number) => token, 'forbidden'],
  ])('refuses %s and changes nothing', async (_, tokenOf, code) => {
    const { tenantId, person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    const stranger = test.context({ tenantId, actor: { id: 'x', agentId: newId('agent') } });
    const caller = code === 'forbidden' ? stranger : asAgent;
    const body = { fencing_token: tokenOf(token), comment: 'no' };
    await expect(reportProgress(caller, { leaseId, body })).rejects.toMatchObject({ code });
    await expect(completeTask(caller, { leaseId, body })).rejects.toMatchObject({ code });
    expect((await getTask(person, task.id)).body.activity).toHaveLength(1);
  });
});

describe('completing', () => {
  it('finishes the task, frees the agent and counts towards its stats', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    expect((await getAgent(person, agent.id)).body.current_tasks).toEqual([
      { id: task.id, title: task.title, status: 'in_progress' },
    ]);
    const body = { fencing_token: token, summary: 'done', scores: { code_quality: 91 } };
    expect(await completeTask(asAgent, { leaseId, body })).toEqual({ expires_at: null, directives: [] });
    expect((await getTask(person, task.id)).body).toMatchObject({
      status: 'completed',
      progress: { percent_complete: 100 },
    });
    expect((await getAgent(person, agent.id)).body).toMatchObject({
      status: 'idle',
      current_tasks: [],
      stats: { tasks_completed: 1, avg_completion_time: '0h', code_quality_score: 91 },
    });
    expect((await eventTypes(tenantId)).at(-1)).toBe('task.completed');
  });

  it('returns the same for the same call again, and 409 for another body', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    const body = { fencing_token: token, result: { b: 1, a: [2] } };
    await completeTask(asAgent, { leaseId, body });
    const before = await eventTypes(tenantId);
    await completeTask(asAgent, { leaseId, body: { result: { a: [2], b: 1 }, fencing_token: token } });
    await expect(completeTask(asAgent, { leaseId, body: { ...body, summary: 'x' } })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await eventTypes(tenantId)).toEqual(before);
    expect((await getAgent(person, agent.id)).body.stats.tasks_completed).toBe(1);
  });
});

describe('a claim that is given back', () => {
  it('opens the task under a higher token, frees the agent and is not counted', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    await releaseClaim(asAgent, { leaseId, fencingToken: token });
    const { status, activity } = (await getTask(person, task.id)).body;
    expect([status, activity.at(-1)]).toEqual(['open', expect.objectContaining({ from: 'in_progress', to: 'open' })]);
    expect((await getAgent(person, agent.id)).body.status).toBe('idle');
    expect((await eventTypes(tenantId)).at(-1)).toBe('task.updated');
    const sql = 'SELECT lost_leases AS lost, first_claimed_at AS "firstClaimedAt" FROM tasks WHERE id = $1';
    expect(await person.db.query(sql, [task.id])).toEqual([{ lost: 0, firstClaimedAt: null }]);
    expect((await claimed(asAgent, agent.id)).token).toBe(token + 2);
  });

  it('is unchanged if another caller with the same key got it too', async () => {
    const { person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const claim = () => claimTask(asAgent, { agentId: agent.id, claimKey: 'k' });
    const [first, second] = [(await claim()).claim, (await claim()).claim];
    if (!first || !second) throw new Error('nothing was claimed');
    expect([first.isReplayed, second.isReplayed]).toEqual([false, true]);
    expect(second.body.lease).toEqual(first.body.lease);
    await giveBack(asAgent, first);
    expect((await getTask(person, task.id)).body.status).toBe('in_progress');
  });

  it('is unchanged once the lease is no longer held, or with another token', async () => {
    const { person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    await releaseClaim(asAgent, { leaseId, fencingToken: token + 1 });
    expect((await getTask(person, task.id)).body.status).toBe('in_progress');
    await completeTask(asAgent, { leaseId, body: { fencing_token: token } });
    await releaseClaim(asAgent, { leaseId, fencingToken: token });
    expect((await getTask(person, task.id)).body.status).toBe('completed');
  });
});

describe('a task that its platform opens again', () => {
  it('keeps nothing of what was reported and scored before', async () => {
    const { person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    const { leaseId, token } = await claimed(asAgent, agent.id);
    const report = { percent_complete: 40, estimate_remaining: '2h', milestones: [{ name: 'plan', completed: true }] };
    await reportProgress(asAgent, { leaseId, body: { fencing_token: token, ...report } });
    const scores = { code_quality: 91, requirements_clarity: 80 };
    await completeTask(asAgent, { leaseId, body: { fencing_token: token, summary: 'done', scores } });
    await person.inTransaction(async (tx) => {
      const changes = platformChanges(tx);
      await changes.apply(contextInTransaction(person, tx), { taskId: task.id, changes: {}, status: 'open' });
      changes.save();
    });
    const { status, progress } = (await getTask(person, task.id)).body;
    expect(status).toBe('open');
    expect(progress).toMatchObject({ percent_complete: 0, estimate_remaining: '0h', milestones: [] });
    const sql = 'SELECT code_quality AS quality, requirements_clarity AS clarity, result FROM tasks WHERE id = $1';
    expect(await person.db.query(sql, [task.id])).toEqual([{ quality: null, clarity: null, result: null }]);
  });
});

describe('the sweep of expired leases', () => {
  it('opens the task again under a higher token, and fails it after three lost leases', async () => {
    const { tenantId, person, agent, asAgent } = await setUp();
    const task = await createTask(person, draft());
    for (const [lost, status] of [
      [1, 'open'],
      [2, 'open'],
      [3, 'failed'],
    ] as const) {
      const { leaseId, token } = await claimed(asAgent, agent.id);
      expect(token).toBe(2 * lost - 1);
      await expire(leaseId);
      const late = heartbeatLease(asAgent, { leaseId, body: { fencing_token: token } });
      await expect(late).rejects.toMatchObject({ violations: [{ constraint: 'lease_lost' }] });
      await sweepExpiredLeases(test.database);
      expect((await getTask(person, task.id)).body.status).toBe(status);
      expect((await getAgent(person, agent.id)).body.status).toBe('idle');
    }
    expect((await eventTypes(tenantId)).at(-1)).toBe('task.failed');
  });

  it('leaves live leases alone and may run several times at once', async () => {
    const { person, agent, asAgent } = await setUp(2);
    const lostTask = await createTask(person, draft());
    const keptTask = await createTask(person, draft());
    const { leaseId } = await claimed(asAgent, agent.id);
    await claimed(asAgent, agent.id);
    await expire(leaseId);
    await Promise.all([1, 2, 3].map(() => sweepExpiredLeases(test.database)));
    expect((await getTask(person, lostTask.id)).body.status).toBe('open');
    expect((await getTask(person, keptTask.id)).body.status).toBe('in_progress');
    expect((await getAgent(person, agent.id)).body.status).toBe('active');
  });

  it('ends many leases at once, and skips locked ones', async () => {
    const { tenantId, person, agent, asAgent } = await setUp(100);
    const agents = [agent, ...(await Promise.all(Array.from({ length: 2 }, () => another(person))))];
    await Promise.all(Array.from({ length: 250 }, () => createTask(person, draft())));
    const admin = { ...asAgent, actor: { id: 'x', isAdmin: true } };
    for (let n = 0; n < 250; n += 1) await claimed(admin, agents[n % 3]!.id);
    await person.db.query("UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE tenant_id = $1", [tenantId]);
    await person.inTransaction(async ({ db }) => {
      await db.query('SELECT FROM leases WHERE tenant_id = $1 LIMIT 1 FOR NO KEY UPDATE', [tenantId]);
      expect(await sweepExpiredLeases(test.database)).toBe(249);
    });
    expect(await sweepExpiredLeases(test.database)).toBe(1);
  });

  const another = (person: UseCaseContext) =>
    createAgent(person, { name: 'Bo', role: 'rd', capabilities: [], max_concurrent_tasks: 100 });

  async function expire(leaseId: string): Promise<void> {
    await test.database.db.query("UPDATE leases SET expires_at = app_now() - interval '1 second' WHERE id = $1", [
      leaseId,
    ]);
  }
});
