import type { StoredEvent } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import type { TestDatabase } from '@eas/testing';
import fc from 'fast-check';
import {
  answerInput,
  askInput,
  attachArtifact,
  cancelTask,
  changeTask,
  commentOnTask,
  completeTask,
  createAgent,
  createTask,
  decideByHand,
  drainAgent,
  failTask,
  aggregateTaskCounts,
  handOffTask,
  heartbeatLease,
  leaveCheckpoint,
  pauseAgent,
  platformChanges,
  type PlatformChange,
  planTasks,
  releaseClaim,
  releaseTask,
  removeAgent,
  reportProgress,
  resumeAgent,
  resumeLease,
  retryTask,
  fireTaskAlarms,
  sendMessage,
  sweepExpiredInputs,
  sweepExpiredLeases,
  sweepUnrevivedLeases,
} from '../src/index.ts';
import { acknowledgeDirectives } from '../src/working/leases/acknowledge-directives.ts';
import { claimTask } from '../src/working/claims/claim-task.ts';
import { newTask } from './new-task.ts';

const index = fc.nat(11);
const platformStatus = fc.option(fc.constantFrom('open', 'hold', 'completed', 'cancelled'), { nil: undefined });
const isWrong = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0);

/** One action on the tasks of a tenant. Numbers select one of the existing tasks, agents and leases. */
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create'),
      role: fc.constantFrom('rd', 'qa', null),
      pinnedTo: fc.option(index, { freq: 2 }),
      isHeld: isWrong,
      isReviewed: isWrong,
      reviewer: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: index }),
      required: fc.constantFrom(null, null, [], ['sql']),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('claim'), agent: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('heartbeat'), lease: index, isWrong }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('progress'), lease: index, isWrong, comment: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('complete'), lease: index, isWrong }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('giveBack', 'release', 'handoff', 'checkpoint', 'artifact', 'acknowledge'),
      lease: index,
      isWrong,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resumeLease'), lease: index, isWrong }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fail'), lease: index, isWrong, retryable: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask'), lease: index, isWrong, blocking: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer'), input: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('message'), task: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('approve', 'reject'), task: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('expire'), lease: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('plan') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('aggregate') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('platform'),
      tasks: fc.array(index, { minLength: 1, maxLength: 3 }),
      status: platformStatus,
      comment: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      task: index,
      // An agent's key may have the scopes of a person.
      by: fc.option(index, { freq: 2 }),
      isStale: isWrong,
      status: fc.option(fc.constantFrom('completed', 'open', 'cancelled'), { freq: 2 }),
      role: fc.constantFrom('rd', 'qa', null, undefined),
      pinnedTo: fc.option(fc.option(index), { nil: undefined, freq: 2 }),
      title: fc.option(fc.constant('changed')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), task: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry'), task: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('comment'), task: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), agent: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('steer'),
      agent: index,
      how: fc.constantFrom('pause', 'resume', 'drain'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('arrive'), agent: index }) },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** Steps in order; the actions of a step run concurrently. */
export const anyHistory = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), {
  minLength: 5,
  maxLength: 25,
  size: 'max',
});

type Held = { leaseId: string; token: number };

/** A tenant with agents that runs actions on its tasks. */
export type Stage = { ctx: UseCaseContext; play(act: Act): Promise<unknown> };

export async function openStage(test: TestDatabase): Promise<Stage> {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const agents: string[] = [];
  const hire = async (role: string, slots: number, capabilities: string[] = []) => {
    const agent = { name: role, role, capabilities, max_concurrent_tasks: slots };
    agents.push((await createAgent(ctx, agent)).id);
  };
  await hire('rd', 1);
  await hire('rd', 3, ['sql']);
  await hire('qa', 2);
  const tasks: string[] = [];
  const leases: Held[] = [];
  const inputs: string[] = [];
  const pick = <T>(list: readonly T[], number: number) => list[number % list.length];

  async function create(drawn: Extract<Act, { kind: 'create' }>): Promise<void> {
    const { role, pinnedTo, isHeld, isReviewed, reviewer, required } = drawn;
    const assignee = pinnedTo === null ? null : (pick(agents, pinnedTo) ?? null);
    const metadata = required === null ? {} : { required_capabilities: required };
    const review = reviewer === null ? { role: 'qa' } : { agent_id: pick(agents, reviewer) };
    const contract = isReviewed || reviewer !== null ? { contract: { review } } : {};
    const given = { metadata, ...contract, assigned_role: role, assigned_agent: assignee, is_held: isHeld };
    tasks.push((await createTask(ctx, newTask(given))).id);
  }

  async function claim(agentId: string): Promise<void> {
    const { claim: claimed } = await claimTask(ctx, { agentId });
    if (!claimed) return;
    const { lease_id: leaseId, fencing_token: token } = claimed.body.lease;
    leases.push({ leaseId, token });
  }

  async function underLease(held: Held, one: Extract<Act, { isWrong: boolean; lease: number }>): Promise<unknown> {
    const call = { leaseId: held.leaseId };
    const token = { fencing_token: held.token + (one.isWrong ? 1 : 0) };
    switch (one.kind) {
      case 'heartbeat':
        return heartbeatLease(ctx, { ...call, body: token });
      case 'giveBack':
        return releaseClaim(ctx, { leaseId: held.leaseId, fencingToken: token.fencing_token });
      case 'resumeLease': {
        const { lease } = await resumeLease(ctx, { ...call, body: token });
        // The process before still has the old token.
        return leases.push({ leaseId: lease.lease_id, token: lease.fencing_token });
      }
      case 'progress': {
        const comment = one.comment ? { comment: 'c' } : {};
        return reportProgress(ctx, { ...call, body: { ...token, ...comment, percent_complete: 10 } });
      }
      case 'complete': {
        const result = { decision: held.token % 2 ? 'approve' : 'reject' };
        return completeTask(ctx, { ...call, body: { ...token, result, scores: { code_quality: held.token } } });
      }
      case 'fail':
        return failTask(ctx, {
          ...call,
          body: { ...token, reason: 'r', retryable: one.retryable, retry_after_seconds: 0 },
        });
      case 'ask':
        return ask(held, token, one.blocking);
      default:
        return lesserCall(call, token, one.kind);
    }
  }

  async function lesserCall(
    call: { leaseId: string },
    token: { fencing_token: number },
    kind: 'release' | 'handoff' | 'checkpoint' | 'artifact' | 'acknowledge',
  ): Promise<unknown> {
    switch (kind) {
      case 'release':
        return releaseTask(ctx, {
          ...call,
          body: { ...token, ...(token.fencing_token % 2 ? {} : { not_before_seconds: 0 }) },
        });
      case 'handoff':
        return handOffTask(ctx, { ...call, body: { ...token, to: { role: 'qa' }, summary: 's' } });
      case 'checkpoint':
        return leaveCheckpoint(ctx, { ...call, body: { ...token, data: { a: 1 } } });
      case 'artifact':
        return attachArtifact(ctx, { ...call, body: { ...token, kind: 'link' } });
      case 'acknowledge': {
        const { directives } = await heartbeatLease(ctx, { ...call, body: token });
        return acknowledgeDirectives(ctx, {
          ...call,
          body: { ...token, directive_ids: directives.map(({ id }) => id) },
        });
      }
    }
  }

  async function ask({ leaseId }: Held, token: { fencing_token: number }, blocking: boolean): Promise<void> {
    const question = { kind: 'question' as const, prompt: String(inputs.length), options: [], expires_in_seconds: 60 };
    const body = { ...token, ...question, blocking };
    inputs.push((await askInput(ctx, { leaseId, body })).input.id);
  }

  /** As a platform's batch is applied: all in one transaction. */
  async function applyPlatform(
    taskIds: readonly string[],
    status: PlatformChange['status'],
    hasComment: boolean,
  ): Promise<void> {
    await ctx.inTransaction(async (tx) => {
      const inner = { ...contextInTransaction(ctx, tx), actor: { id: 'int_1' } };
      const comments = hasComment ? [{ content: 'c', author: 'a' }] : [];
      const together = platformChanges(tx);
      await together.lock(taskIds, status === undefined ? [] : taskIds);
      for (const taskId of taskIds)
        await together.apply(inner, {
          taskId,
          changes: { addedTags: ['p'] },
          comments,
          ...(status ? { status } : {}),
        });
      together.save();
    });
  }

  /** Actions of a person. */
  async function byHand(one: Extract<Act, { task: number }>): Promise<unknown> {
    const taskId = pick(tasks, one.task);
    if (!taskId) return undefined;
    if (one.kind === 'cancel') return cancelTask(ctx, { taskId });
    if (one.kind === 'retry') return retryTask(ctx, taskId);
    if (one.kind === 'comment') return commentOnTask(ctx, { taskId, body: { content: 'c' } });
    if (one.kind === 'message') return sendMessage(ctx, { taskId, body: { content: 'm' } });
    if (one.kind !== 'change') return decideByHand(ctx, { taskId, decision: one.kind });
    const { by, isStale, status, title, role, pinnedTo } = one;
    const id = by === null ? undefined : pick(agents, by);
    const agent = typeof pinnedTo === 'number' ? (pick(agents, pinnedTo) ?? null) : pinnedTo;
    const body = {
      ...(status === null ? {} : { status }),
      ...(title === null ? {} : { title }),
      assigned_role: role,
      assigned_agent: agent,
    };
    const actor = id === undefined ? ctx.actor : { id, agentId: id };
    return changeTask({ ...ctx, actor }, { taskId, ifMatch: isStale ? [0] : undefined, body });
  }

  /** Removes an agent and adds another of its kind; the removed one may still be named. */
  async function replace(agentId: string): Promise<void> {
    await removeAgent(ctx, { agentId });
    await hire('rd', 2);
  }

  async function expire(held: Held): Promise<void> {
    const sql = `
      UPDATE leases SET expires_at = CASE WHEN parked_at IS NULL THEN app_now() - interval '1 second' END,
        revive_until = CASE WHEN revive_until IS NOT NULL THEN app_now() - interval '1 second' END
      WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL`;
    await ctx.db.query(sql, [ctx.tenantId, held.leaseId]);
  }

  async function answer(inputId: string | undefined): Promise<unknown> {
    return inputId && answerInput(ctx, { inputId, body: { answer: 'a' } });
  }

  async function sweep(): Promise<void> {
    await Promise.all([
      ...[sweepExpiredLeases, sweepUnrevivedLeases, sweepExpiredInputs].map((one) => one(test.database)),
      fireTaskAlarms(test.database),
    ]);
  }

  async function play(one: Act): Promise<unknown> {
    if (one.kind === 'create') return create(one);
    if (one.kind === 'claim') return claim(pick(agents, one.agent) ?? '');
    if (one.kind === 'sweep') return sweep();
    if (one.kind === 'answer') return answer(pick(inputs, one.input));
    if (one.kind === 'aggregate') return aggregateTaskCounts(ctx.db);
    if (one.kind === 'plan') return planTasks(ctx, tasks.map(createdEvent));
    if (one.kind === 'platform') {
      const taskIds = one.tasks.flatMap((number) => pick(tasks, number) ?? []);
      return applyPlatform(taskIds, one.status, one.comment);
    }
    if (one.kind === 'steer') return steer[one.how](ctx, pick(agents, one.agent) ?? '');
    if (one.kind === 'arrive')
      return planTasks(
        ctx,
        ['rd', 'qa'].map((role) => arrivedEvent(role)),
      );
    if (one.kind === 'remove') return replace(pick(agents, one.agent) ?? '');
    if ('task' in one) return byHand(one);
    const held = pick(leases, one.lease);
    if (!held) return undefined;
    return one.kind === 'expire' ? expire(held) : underLease(held, one);
  }
  return { ctx, play };
}

const createdEvent = (id: string) => ({ type: 'task.created', data: { task_id: id } }) as StoredEvent;
const arrivedEvent = (role: string) =>
  ({ type: 'agent.arrived', data: { agent_id: 'agt_1', role, after: null } }) as StoredEvent;
const steer = { pause: pauseAgent, resume: resumeAgent, drain: drainAgent };
