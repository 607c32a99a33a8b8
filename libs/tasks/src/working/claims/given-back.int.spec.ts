import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newTask } from '../../../test/new-task.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { claimTask } from './claim-task.ts';
import { isMeant, readWorkKey } from '../../records/tasks/work-key.ts';
import { createTask } from '../../moves/create-task.ts';
import { fireTaskAlarms } from '../../sweeping/task-alarm.sweeper.ts';
import { handOffTask } from '../leases/hand-off-task.ts';
import { sweepExpiredLeases } from '../../sweeping/lease.sweeper.ts';
import { releaseTask } from '../leases/release-task.ts';

const test = useTestDatabase();
afterEach(() => test.shiftClock(0));

async function setUp() {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = { name: 'a', role: 'rd', capabilities: [], max_concurrent_tasks: 5 };
  const [own, other] = [(await createAgent(ctx, agent)).id, (await createAgent(ctx, agent)).id];
  return { tenantId, ctx, own, other };
}

async function claim(ctx: UseCaseContext, agentId: string) {
  const { claim: claimed } = await claimTask(ctx, { agentId });
  return claimed?.body;
}

async function giveBack(ctx: UseCaseContext, agentId: string, over: { not_before_seconds?: number } = {}) {
  const claimed = await claim(ctx, agentId);
  if (!claimed) throw new Error('nothing was claimed');
  const { lease_id: leaseId, fencing_token: token } = claimed.lease;
  await releaseTask(ctx, { leaseId, body: { fencing_token: token, ...over } });
  return claimed.task.id;
}

describe('a task that its agent gave back', () => {
  it('is available to others at once', async () => {
    const { ctx, own, other } = await setUp();
    const { id } = await createTask(ctx, newTask());
    await giveBack(ctx, own);
    expect((await claim(ctx, other))?.task.id).toBe(id);
  });

  it.each([
    ['of its role', {}],
    ['of any role', { assigned_role: null }],
    ['of another role that is pinned to it', { assigned_role: 'qa', isPinned: true }],
    ['of its role that is pinned to it', { isPinned: true }],
  ])('%s comes back to the agent after 30 s, not before', async (_, { isPinned, ...over }: Record<string, unknown>) => {
    const { ctx, own } = await setUp();
    const { id } = await createTask(ctx, newTask({ ...over, assigned_agent: isPinned ? own : null }));
    await giveBack(ctx, own);
    for (const seconds of [0, 10]) {
      await test.shiftClock(seconds);
      expect(await claim(ctx, own)).toBeUndefined();
    }
    await test.shiftClock(31);
    expect((await claim(ctx, own))?.task.id).toBe(id);
  });

  it.each([undefined, 0])('is offered to it last (not_before_seconds: %s)', async (seconds) => {
    const { ctx, own } = await setUp();
    const first = await createTask(ctx, newTask({ priority: 'critical' }));
    await giveBack(ctx, own, seconds === undefined ? {} : { not_before_seconds: seconds });
    const ofAnyRole = await createTask(ctx, newTask({ assigned_role: null }));
    await test.shiftClock(31);
    const order = [(await claim(ctx, own))?.task.id, (await claim(ctx, own))?.task.id];
    expect(order).toEqual([ofAnyRole.id, first.id]);
  });

  it('is offered to it at once on request, and to no agent before the requested time', async () => {
    const { ctx, own, other } = await setUp();
    const { id } = await createTask(ctx, newTask());
    await giveBack(ctx, own, { not_before_seconds: 0 });
    await giveBack(ctx, own, { not_before_seconds: 60 });
    await test.shiftClock(30);
    expect([await claim(ctx, own), await claim(ctx, other)]).toEqual([undefined, undefined]);
    await test.shiftClock(61);
    expect((await claim(ctx, own))?.task.id).toBe(id);
  });

  it('wakes others at once, and its agent when that may have it again', async () => {
    const { tenantId, ctx, own, other } = await setUp();
    await createTask(ctx, newTask());
    const keys: string[] = [];
    const means = (agentId: string) => keys.some((key) => isMeant(readWorkKey(key), { tenantId, agentId, role: 'rd' }));
    const notify = (_: string, key: string) => void keys.push(key);
    const listened = {
      ...ctx,
      inTransaction: ((work) => ctx.inTransaction((tx) => work({ ...tx, notify }))) as typeof ctx.inTransaction,
    };
    await giveBack(listened, own);
    expect([own, other].map(means)).toEqual([false, true]);
    await test.shiftClock(31);
    await fireTaskAlarms({ db: ctx.db, notify });
    expect([own, other].map(means)).toEqual([true, true]);
  });

  it('may be claimed by its agent as soon as another one has had it', async () => {
    const { ctx, own, other } = await setUp();
    const { id } = await createTask(ctx, newTask());
    await giveBack(ctx, own);
    await giveBack(ctx, other, { not_before_seconds: 0 });
    expect((await claim(ctx, own))?.task.id).toBe(id);
  });

  it('is offered to others first even if it was handed off to the role of its agent', async () => {
    const { ctx, own, other } = await setUp();
    const { id } = await createTask(ctx, newTask());
    const claimed = await claim(ctx, own);
    const call = { leaseId: claimed?.lease.lease_id ?? '' };
    const token = { fencing_token: claimed?.lease.fencing_token ?? 0 };
    await handOffTask(ctx, { ...call, body: { ...token, to: { role: 'rd' }, summary: 's' } });
    expect(await claim(ctx, own)).toBeUndefined();
    expect((await claim(ctx, other))?.task.id).toBe(id);
  });
});

describe('a task that its agent lost', () => {
  it.each([
    ['rd', true],
    ['qa', true],
    ['rd', false],
    [null, false],
  ])('(role %s, pinned: %s) comes back to it when there is nothing else', async (role, isPinned) => {
    const { ctx, own } = await setUp();
    const { id } = await createTask(ctx, newTask({ assigned_role: role, assigned_agent: isPinned ? own : null }));
    expect((await claim(ctx, own))?.task.id).toBe(id);
    await test.shiftClock(61);
    await sweepExpiredLeases(test.database);
    expect((await claim(ctx, own))?.task.id).toBe(id);
  });
});
