import type { TaskDetail } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getTask } from '../reading/get-task.ts';
import { startChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { callOffReview, lockReviewsOf } from '../moves/call-off-review.ts';
import { decide, type Decision } from '../moves/decide-review.ts';

/** In place of the review that the task waits for. Throws 409 `state` for a task that is not in review. */
export async function decideByHand(
  ctx: UseCaseContext,
  { taskId, ...decision }: { taskId: string } & Decision,
): Promise<{ body: TaskDetail; version: number }> {
  await ctx.inTransaction(async (tx) => {
    await lockReviewsOf(tx, [taskId]);
    const task = await lockTask(tx, taskId);
    if (!task) throw new AppError('not_found', { message: 'The task does not exist.' });
    const change = startChange(tx, task, { at: ctx.clock.now(), actor: ctx.actor.id });
    const { reviewTaskId } = task;
    await decide(tx, change, decision, ctx.limits);
    if (reviewTaskId !== null) await callOffReview(tx, reviewTaskId, change);
    change.save();
  });
  return getTask(ctx, taskId);
}
