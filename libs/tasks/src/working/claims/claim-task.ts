import type { ClaimResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { assertAccepts, hasSlot } from '../../records/agents/agent-state.ts';
import { lockAgent } from '../../records/agents/agent.store.ts';
import { lockTask } from '../../records/tasks/task.store.ts';
import { type Claimed, claimResults } from './claim-result.ts';
import { findProjectsLeft, replayClaim, type GivenLease, pickTask, pickTaskOf } from './claim.store.ts';
import type { Claim, ClaimInput, Poll } from './claim.ts';
import { claimTogether } from './claim-together.ts';
import { assertActsFor } from '../../records/leases/lease.ts';
import { type Begun, startTasks } from './start-tasks.ts';

/**
 * Returns no claim when there is no task now, or the agent is full. Throws 403, 404, and 409 `state` for one that is
 * paused.
 */
export async function claimTask(ctx: UseCaseContext, input: ClaimInput): Promise<Poll> {
  assertActsFor(ctx.actor, input.agentId);
  const { agentId, claimKey, projects, leaseSeconds = ctx.leaseSeconds } = input;
  if (claimKey !== undefined || projects) return claimAlone(ctx, { ...input, leaseSeconds });
  for (;;) {
    const poll = await ctx.inSharedTransaction(claimTogether, { agentId, leaseSeconds });
    if (poll === 'alone') return claimAlone(ctx, { agentId, leaseSeconds });
    if (poll !== 'again') return poll;
  }
}

type Alone = ClaimInput & { leaseSeconds: number };

async function claimAlone(ctx: UseCaseContext, input: Alone): Promise<Poll> {
  return ctx.inTransaction(async (tx) => {
    const agent = await lockAgent(tx, input.agentId);
    if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
    const given = input.claimKey && (await replayClaim(tx, agent.id, input.claimKey));
    if (given) return { agent, isFull: false, claim: { body: await resultAgain(tx, given), isReplayed: true } };
    assertAccepts(agent);
    if (!hasSlot(agent)) return { agent, isFull: true, claim: undefined };
    const { claimKey, leaseSeconds } = input;
    const projects = agent.hasExhaustedProjects ? await findProjectsLeft(tx, input.projects) : input.projects;
    const task = await (projects ? pickTaskOf(tx, agent.id, projects) : pickTask(tx, agent.id));
    const starts = task ? [{ task, agentId: agent.id, claimKey, leaseSeconds }] : [];
    const [started] = startTasks(tx, starts);
    return { agent, isFull: false, claim: started && (await claimOf(tx, started)) };
  });
}

async function claimOf(tx: Tx, started: Begun): Promise<Claim> {
  const { waitedMs, traceparent } = started;
  return { body: await resultOf(tx, started), isReplayed: false, waitedMs, traceparent };
}

async function resultOf(tx: Tx, task: Claimed): Promise<ClaimResult> {
  const [result] = await claimResults(tx, [task]);
  if (!result) throw new Error('a claim has no result');
  return result;
}

async function resultAgain(tx: Tx, { taskId, expiresAt }: GivenLease): Promise<ClaimResult> {
  const task = await lockTask(tx, taskId);
  if (!task || expiresAt === null) throw isParked();
  return resultOf(tx, { ...task, expiresAt });
}

function isParked(): AppError {
  const message = 'The lease of this Idempotency-Key is waiting for an answer to its input. Continue with that lease.';
  return new AppError('conflict', { field: 'Idempotency-Key', constraint: 'state', message });
}
