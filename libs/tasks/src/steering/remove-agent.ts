import { AppError, assertVersion } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { saveAltered } from '../moves/alter-task.ts';
import { lockLeasesOf } from '../records/leases/lease.store.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';
import { cancelReview } from '../moves/cancel-review.ts';
import { pinnedReviewsOf } from '../records/acceptance/review.store.ts';
import { withdrawPlansOf } from '../moves/withdraw-plans.ts';
import { startChange } from '../moves/task-change.ts';
import { deleteRunnersOf } from '../records/runners/runner.store.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { deleteAgent, lockAgentAlone } from '../records/agents/agent.store.ts';

type Act = { agentId: string; at: Date; actor: string };

/**
 * Removes an agent: its current tasks are open again, tasks planned for it or pinned to it are planned again, except
 * reviews pinned to it, which go to a person. Its past work stays. Throws 404 and 412.
 */
export async function removeAgent(
  ctx: UseCaseContext,
  { agentId, ifMatch }: { agentId: string; ifMatch?: readonly number[] },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const act = { agentId, at: ctx.clock.now(), actor: ctx.actor.id };
    // Locks leases and tasks before the agent, in the usual order, then those that it got until it was locked.
    await takeWorkAway(tx, act);
    const agent = await lockAgentAlone(tx, agentId);
    if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
    assertVersion(agent.version, ifMatch);
    await takeWorkAway(tx, act);
    await deleteRunnersOf(tx, agentId);
    await deleteAgent(tx, agentId, act.at);
  });
}

async function takeWorkAway(tx: Tx, act: Act): Promise<void> {
  for (const lease of await lockLeasesOf(tx, act.agentId)) await giveBack(tx, lease, act);
  // A person decides the reviews that were pinned to it.
  for (const reviewId of await pinnedReviewsOf(tx, act.agentId)) await cancelReview(tx, reviewId, act);
  await withdrawPlansOf(tx, act);
}

async function giveBack(tx: Tx, lease: { id: string; taskId: string }, { at, actor }: Act): Promise<void> {
  const task = await lockTask(tx, lease.taskId);
  if (task?.leaseId !== lease.id) return;
  if (task.reviewOf !== null && task.isPinned) return cancelReview(tx, task.id, { at, actor });
  const before = { ...task };
  const change = startChange(tx, task, { at, actor });
  change.move('open');
  task.assignedAgent = null;
  task.isPinned = false;
  await withdrawLease(tx, change, lease.id, 'agent_removed');
  await saveAltered(change, before);
}
