import type { StoredEvent } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import type { TestDatabase } from '@eas/testing';
import fc from 'fast-check';
import {
  applyPlatformChange,
  completeTask,
  createAgent,
  createTask,
  heartbeatLease,
  type PlatformChange,
  planTasks,
  releaseClaim,
  reportProgress,
  sweepExpiredLeases,
} from '../src/index.ts';
import { claimTask } from '../src/leases/claim-task.ts';

const index = fc.nat(11);
const platformStatus = fc.option(fc.constantFrom('open', 'hold', 'completed', 'cancelled'), { nil: undefined });
const isWrong = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0);

/** One act on the tasks of a tenant. Numbers choose among the tasks, agents and leases that there are. */
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create'),
      role: fc.constantFrom('rd', 'qa', null),
      pinnedTo: fc.option(index, { freq: 1 }),
      isHeld: isWrong,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('claim'), agent: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('heartbeat'), lease: index, isWrong }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('progress'), lease: index, isWrong, comment: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('complete'), lease: index, isWrong }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release'), lease: index, isWrong }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('expire'), lease: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('plan') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('platform'),
      tasks: fc.array(index, { minLength: 1, maxLength: 3 }),
      status: platformStatus,
      comment: fc.boolean(),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** Moments one after the other; the acts of a moment are made at once. */
export const anyHistory = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), {
  minLength: 5,
  maxLength: 25,
  size: 'max',
});

type Held = { leaseId: string; token: number };

/** A tenant with agents that plays acts on its tasks. */
export type Stage = { ctx: UseCaseContext; play(act: Act): Promise<unknown> };

export async function openStage(test: TestDatabase): Promise<Stage> {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const agents: string[] = [];
  for (const [role, slots] of [
    ['rd', 1],
    ['rd', 3],
    ['qa', 2],
  ] as const) {
    const agent = { name: role, role, capabilities: [], max_concurrent_tasks: slots };
    agents.push((await createAgent(ctx, agent)).id);
  }
  const tasks: string[] = [];
  const leases: Held[] = [];
  const pick = <T>(list: readonly T[], number: number) => list[number % list.length];

  async function create({ role, pinnedTo, isHeld }: Extract<Act, { kind: 'create' }>): Promise<void> {
    const assignee = pinnedTo === null ? null : (pick(agents, pinnedTo) ?? null);
    const draft = { title: 't', description: 'd', priority: 'medium' as const, due_date: null, tags: [], metadata: {} };
    tasks.push(
      (await createTask(ctx, { ...draft, assigned_role: role, assigned_agent: assignee, is_held: isHeld })).id,
    );
  }

  async function claim(agentId: string): Promise<void> {
    const claimed = await claimTask(ctx, { agentId, leaseSeconds: 60 });
    if (claimed) leases.push({ leaseId: claimed.lease.lease_id, token: claimed.lease.fencing_token });
  }

  async function underLease(
    held: Held,
    { kind, ...how }: { kind: string; isWrong: boolean; comment?: boolean },
  ): Promise<unknown> {
    const { leaseId } = held;
    const body = { fencing_token: held.token + (how.isWrong ? 1 : 0), ...(how.comment ? { comment: 'c' } : {}) };
    if (kind === 'heartbeat') return heartbeatLease(ctx, { leaseId, leaseSeconds: 60, body });
    if (kind === 'release') return releaseClaim(ctx, { leaseId, fencingToken: body.fencing_token });
    if (kind === 'complete') return completeTask(ctx, { leaseId, body });
    return reportProgress(ctx, { leaseId, leaseSeconds: 60, body: { ...body, percent_complete: 10 } });
  }

  /** As a platform's batch is applied: all in one transaction. */
  async function tell(
    taskIds: readonly string[],
    status: PlatformChange['status'],
    hasComment: boolean,
  ): Promise<void> {
    await ctx.inTransaction(async (tx) => {
      const inner = { ...contextInTransaction(ctx, tx), actor: { id: 'int_1' } };
      const comments = hasComment ? [{ content: 'c', author: 'a' }] : [];
      for (const taskId of taskIds)
        await applyPlatformChange(inner, {
          taskId,
          changes: { addedTags: ['p'] },
          comments,
          ...(status ? { status } : {}),
        });
    });
  }

  async function expire(held: Held): Promise<void> {
    const sql = "UPDATE leases SET expires_at = app_now() - interval '1 second' WHERE tenant_id = $1 AND id = $2";
    await ctx.db.query(sql, [ctx.tenantId, held.leaseId]);
  }

  async function play(one: Act): Promise<unknown> {
    if (one.kind === 'create') return create(one);
    if (one.kind === 'claim') return claim(pick(agents, one.agent) ?? '');
    if (one.kind === 'sweep') return sweepExpiredLeases(test.database);
    if (one.kind === 'plan') return planTasks(ctx, tasks.map(createdEvent));
    if (one.kind === 'platform') {
      const taskIds = one.tasks.flatMap((number) => pick(tasks, number) ?? []);
      return tell(taskIds, one.status, one.comment);
    }
    const held = pick(leases, one.lease);
    if (!held) return undefined;
    return one.kind === 'expire' ? expire(held) : underLease(held, one);
  }
  return { ctx, play };
}

const createdEvent = (id: string) => ({ type: 'task.created', data: { task_id: id } }) as StoredEvent;
