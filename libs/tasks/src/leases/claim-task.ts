import type { ClaimResult } from '@eas/contracts';
import { AppError, formatTimestamp, newId } from '@eas/core';
import { append, type Tx, type UseCaseContext } from '@eas/db';
import { lockAgent } from '../agents/agent.store.ts';
import { assertActsFor } from './lease.ts';
import { type ClaimedTask, claimNextTask } from './lease.store.ts';
import { toResource } from '../tasks/task-resource.ts';
import { taskFacts } from '../tasks/task.ts';

export type ClaimInput = { agentId: string; leaseSeconds: number };

/** Gives the agent the first task it may work on, under a new lease; undefined when there is none now. */
export async function claimTask(ctx: UseCaseContext, input: ClaimInput): Promise<ClaimResult | undefined> {
  assertActsFor(ctx.actor, input.agentId);
  const leaseId = newId('lease');
  const claimed = await ctx.inTransaction(async (tx) => {
    const agent = await lockAgent(tx, input.agentId);
    if (!agent) throw new AppError('not_found', { message: 'no such agent' });
    if (!agent.isAccepting) throw notNow('state', 'the agent does not accept tasks');
    if (agent.activeLeases >= agent.maxConcurrentTasks)
      throw notNow('limit', 'the agent holds as many tasks as it may');
    const task = await claimNextTask(tx, agent, { leaseId, leaseSeconds: input.leaseSeconds });
    if (task) appendStarted(tx, task, input.agentId);
    return task;
  });
  return claimed && toClaimResult(claimed, leaseId);
}

function notNow(constraint: 'state' | 'limit', message: string): AppError {
  return new AppError('conflict', { field: 'agent_id', constraint, message });
}

function appendStarted(tx: Tx, task: ClaimedTask, agentId: string): void {
  append(tx, {
    type: 'task.started',
    at: task.updatedAt,
    data: { task_id: task.id, title: task.title, assigned_agent: agentId },
    facts: taskFacts(task),
  });
}

function toClaimResult(task: ClaimedTask, leaseId: string): ClaimResult {
  return {
    task: toResource(task),
    lease: { lease_id: leaseId, fencing_token: task.fencingToken, expires_at: formatTimestamp(task.expiresAt) },
    context: {},
    directives: [],
  };
}
