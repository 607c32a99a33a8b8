import { AppError, newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTask } from '../../../test/new-task.ts';
import { lockAgents } from '../../records/agents/agent.store.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { pauseAgent } from '../../steering/pause-agent.ts';
import { completeTask } from '../leases/complete-task.ts';
import { failTask } from '../leases/fail-task.ts';
import { sweepExpiredLeases } from '../../sweeping/lease.sweeper.ts';
import { releaseTask } from '../leases/release-task.ts';
import { createTask } from '../../moves/create-task.ts';
import { claimTask } from './claim-task.ts';

const test = useTestDatabase();

const roles = fc.constantFrom('rd', 'qa');
const skills = fc.subarray(['go', 'rust']);
const agentIndex = fc.nat(2);
const anyAgents = fc.array(
  fc.record({ role: roles, capabilities: skills, slots: fc.integer({ min: 1, max: 2 }), isPaused: oneIn(8) }),
  { minLength: 2, maxLength: 3 },
);
const anyTasks = fc.array(
  fc.record({
    role: fc.oneof({ weight: 4, arbitrary: roles }, { weight: 1, arbitrary: fc.constant(null) }),
    required: fc.option(skills, { freq: 1 }),
    priority: fc.constantFrom('medium' as const, 'high' as const),
    pinnedTo: fc.option(agentIndex, { freq: 1 }),
    notFor: fc.option(agentIndex, { freq: 1 }),
    lostBy: fc.option(agentIndex, { freq: 1 }),
    isHeld: oneIn(8),
    waits: oneIn(8),
  }),
  { minLength: 2, maxLength: 6 },
);
const anyEnd = fc.constantFrom('complete', 'release', 'fail', 'lose', 'go on');
/** Claims at the same moment, two of an agent among them, and how the work of each ends. */
const anyMoment = fc.array(fc.record({ agent: agentIndex, end: anyEnd }), { minLength: 2, maxLength: 4 });
const anyMoments = fc.array(anyMoment, { minLength: 1, maxLength: 3 });

function oneIn(n: number) {
  return fc.nat(n - 1).map((drawn) => drawn === 0);
}

type AgentPlan = typeof anyAgents extends fc.Arbitrary<(infer A)[]> ? A : never;
type TaskPlan = typeof anyTasks extends fc.Arbitrary<(infer T)[]> ? T : never;
type Moment = typeof anyMoment extends fc.Arbitrary<infer M> ? M : never;
type End = Moment[number]['end'];
type Held = { task: string; leaseId: string; token: number };
/** What an agent got: the number of a task, nothing, or why it was refused. */
type Got = Held | { none: string };

/** A tenant in which agents and tasks go by their numbers, so that it can be compared with its twin. */
async function openTwin(agents: readonly AgentPlan[], tasks: readonly TaskPlan[]) {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const ids: string[] = [];
  for (const { role, capabilities, slots, isPaused } of agents) {
    const { id } = await createAgent(ctx, { name: role, role, capabilities, max_concurrent_tasks: slots });
    if (isPaused) await pauseAgent(ctx, id);
    ids.push(id);
  }
  const idOf = (index: number | null) => (index === null ? null : (ids[index % ids.length] ?? null));
  for (const [number, task] of tasks.entries()) {
    const [pinnedTo, notFor, lostBy] = [task.pinnedTo, task.notFor, task.lostBy].map(idOf);
    const given = newTask({
      title: String(number),
      priority: task.priority,
      assigned_role: task.role,
      assigned_agent: pinnedTo === notFor ? null : (pinnedTo ?? null),
      metadata: task.required === null ? {} : { required_capabilities: task.required },
      is_held: task.isHeld,
    });
    const { id } = await createTask(ctx, given);
    const sql = `UPDATE tasks SET not_for = $3, lost_by = $4, not_before = CASE WHEN $5 THEN app_now() + interval '1 day' END
      WHERE tenant_id = $1 AND id = $2`;
    await ctx.db.query(sql, [ctx.tenantId, id, notFor, lostBy, task.waits]);
  }
  return { ctx, ids };
}

async function claim(ctx: UseCaseContext, agentId: string, claimKey?: string): Promise<Got> {
  try {
    const { claim: claimed, isFull } = await claimTask(ctx, { agentId, claimKey });
    if (!claimed) return { none: isFull ? 'full' : 'nothing to do' };
    const { task, lease } = claimed.body;
    return { task: task.title, leaseId: lease.lease_id, token: lease.fencing_token };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { none: error.violations[0]?.constraint ?? error.code };
  }
}

const shown = (got: readonly Got[]) => got.map((one) => ('none' in one ? one.none : one.task));

const agentOf = ({ ids }: Twin, { agent }: Moment[number]) => ids[agent % ids.length] ?? '';

/** One after the other, each in a transaction of its own: a claim with a key never shares one. */
async function claimInTurn(twin: Twin, moment: Moment, order: readonly number[]): Promise<Got[]> {
  const got: Got[] = [];
  for (const index of order) got[index] = await claim(twin.ctx, agentOf(twin, moment[index]!), newId('lease'));
  return got;
}
type Twin = Awaited<ReturnType<typeof openTwin>>;

const undone = new Error('undone');

/** The results of claims in that order; rolled back afterwards. */
async function tryInTurn(twin: Twin, moment: Moment, order: readonly number[]): Promise<string[]> {
  let result: string[] = [];
  const attempt = twin.ctx.inTransaction(async (tx) => {
    result = shown(await claimInTurn({ ...twin, ctx: contextInTransaction(twin.ctx, tx) }, moment, order));
    throw undone;
  });
  await attempt.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return result;
}

async function end(ctx: UseCaseContext, got: Got | undefined, how: End): Promise<void> {
  if (!got || 'none' in got || how === 'go on') return;
  const call = { leaseId: got.leaseId };
  const token = { fencing_token: got.token };
  if (how === 'complete') await completeTask(ctx, { ...call, body: token });
  if (how === 'release') await releaseTask(ctx, { ...call, body: { ...token, not_before_seconds: 0 } });
  if (how === 'fail')
    await failTask(ctx, { ...call, body: { ...token, reason: 'r', retryable: true, retry_after_seconds: 0 } });
  if (how !== 'lose') return;
  const sql = `UPDATE leases SET expires_at = app_now() - interval '1 second' WHERE tenant_id = $1 AND id = $2`;
  await ctx.db.query(sql, [ctx.tenantId, got.leaseId]);
  await sweepExpiredLeases(test.database);
}

function permutations(of: readonly number[]): number[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

/** The first order of the claims that has these results. */
async function orderOf(twin: Twin, moment: Moment, together: readonly Got[]): Promise<number[]> {
  const outcomes: string[][] = [];
  for (const order of permutations([...moment.keys()])) {
    const outcome = await tryInTurn(twin, moment, order);
    if (outcome.join() === shown(together).join()) return order;
    outcomes.push(outcome);
  }
  expect(outcomes).toContainEqual(shown(together));
  return [];
}

describe('claims that share a transaction', () => {
  it('have the same results as sequential claims, in some order', async () => {
    await fc.assert(
      fc.asyncProperty(anyAgents, anyTasks, anyMoments, async (agents, tasks, moments) => {
        const [shared, alone] = [await openTwin(agents, tasks), await openTwin(agents, tasks)];
        for (const moment of moments) {
          const together = await Promise.all(moment.map((one) => claim(shared.ctx, agentOf(shared, one))));
          const inTurn = await claimInTurn(alone, moment, await orderOf(alone, moment, together));
          for (const [index, { end: how }] of moment.entries()) {
            await end(shared.ctx, together[index], how);
            await end(alone.ctx, inTurn[index], how);
          }
        }
      }),
      { numRuns: runsOf(8, 40), endOnFailure: true },
    );
  });

  it('of one agent need no transactions of their own, and fill its slots', async () => {
    const twin = await openTwin([{ role: 'rd', capabilities: [], slots: 2, isPaused: false }], [open, open, open]);
    let ofTheirOwn = 0;
    const inTransaction: UseCaseContext['inTransaction'] = (work) => {
      ofTheirOwn += 1;
      return twin.ctx.inTransaction(work);
    };
    const ctx = { ...twin.ctx, inTransaction };
    const got = await Promise.all(Array.from({ length: 60 }, () => claim(ctx, twin.ids[0] ?? '')));
    expect(shown(got).toSorted().slice(0, 2)).toEqual(['0', '1']);
    expect(new Set(shown(got))).toEqual(new Set(['0', '1', 'full']));
    expect(ofTheirOwn).toBe(0);
  });

  it('wait for an agent that another transaction has locked, but do not hold up other agents', async () => {
    const plan = { role: 'rd' as const, capabilities: [], slots: 1, isPaused: false };
    const twin = await openTwin([plan, plan], [open, open]);
    const [locked = '', free = ''] = twin.ids;
    let waiting: Promise<Got> | undefined;
    await twin.ctx.inTransaction(async (tx) => {
      await lockAgents(tx, [locked], { mayWait: true });
      waiting = claim(twin.ctx, locked);
      expect(shown([await claim(twin.ctx, free)])).toEqual(['0']);
    });
    expect(shown([await waiting!])).toEqual(['1']);
  });
});

const open: TaskPlan = {
  role: 'rd',
  required: null,
  priority: 'medium',
  pinnedTo: null,
  notFor: null,
  lostBy: null,
  isHeld: false,
  waits: false,
};
