import type { Actor, TaskDetail } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertPerson } from '../records/acceptance/assert-person.ts';
import type { Task } from '../records/tasks/task.ts';
import { getTask } from '../reading/get-task.ts';
import { startChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { cancelReview, lockReviewsOf } from '../moves/cancel-review.ts';
import { decide, type Decision } from '../moves/decide-review.ts';

/** What the caller was shown and decides about; undefined: what is in review. */
type DecidedWork = { ifMatch?: readonly number[] | undefined; submission?: number | undefined };

/**
 * Replaces the review that the task waits for. Throws 409 for a task that is not in review or has other work in review,
 * 412, and 403 for an agent, which reviews by a task of its own, and for the author of the work.
 */
export async function decideByHand(
  ctx: UseCaseContext,
  { taskId, ifMatch, submission, ...decision }: { taskId: string } & DecidedWork & Decision,
): Promise<{ body: TaskDetail; version: number }> {
  await ctx.inTransaction(async (tx) => {
    await lockReviewsOf(tx, [taskId]);
    const task = await lockTask(tx, taskId);
    if (!task) throw new AppError('not_found', { message: 'The task does not exist.' });
    assertVersion(task.version, ifMatch);
    const change = startChange(tx, task, { at: ctx.clock.now(), actor: ctx.actor.id });
    const { reviewTaskId } = task;
    assertMayDecide(ctx.actor, task);
    assertSubmission(task, submission);
    await decide(tx, change, decision, ctx.limits);
    if (reviewTaskId !== null) await cancelReview(tx, reviewTaskId, change);
    change.save();
  });
  return getTask(ctx, taskId);
}

/** Work that is not in review has no author: it is refused with its status. */
function assertMayDecide(actor: Actor, { status, completedBy }: Task): void {
  const instead = 'A person does that, or the agent that is asked for a review completes the task of the review.';
  assertPerson(actor, 'approve or reject work', instead);
  if (status === 'in_review' && completedBy === actor.id)
    throw new AppError('forbidden', { message: 'You cannot decide about your own work.' });
}

/** Work that was done again is not what the caller has seen. What is not in review is refused with its status. */
function assertSubmission({ status, fencingToken }: Task, submission: number | undefined): void {
  if (submission === undefined || submission === fencingToken || status !== 'in_review') return;
  const message = `The work of submission ${submission} is not in review any more: the task was done again, and submission ${fencingToken} is. Read the task and decide about that.`;
  throw new AppError('conflict', { field: 'submission', constraint: 'version', message });
}
