import type { Tx } from '@eas/db';
import { withdrawLease } from './withdraw-lease.ts';
import { startChange, type TaskChange } from './task-change.ts';
import { isFinal } from '../records/tasks/task.ts';
import { lockLeasesOn } from '../records/leases/lease.store.ts';
import { lockTask, lockTasks } from '../records/tasks/task.store.ts';
import { reviewTasksOf } from '../records/acceptance/review.store.ts';

/**
 * Locks the reviews of tasks, and the leases on these: before the tasks themselves, in the same order as the end of a
 * review.
 */
export async function lockReviewsOf(tx: Tx, taskIds: readonly string[]): Promise<void> {
  const reviews = await reviewTasksOf(tx, taskIds);
  if (reviews.length === 0) return;
  await lockLeasesOn(tx, reviews);
  await lockTasks(tx, reviews);
}

/** Cancels a review that its task no longer waits for. */
export async function cancelReview(
  tx: Tx,
  reviewId: string,
  { at, actor }: Pick<TaskChange, 'at' | 'actor'>,
): Promise<void> {
  const review = await lockTask(tx, reviewId);
  if (!review || isFinal(review.status)) return;
  const change = startChange(tx, review, { at, actor });
  const { leaseId } = review;
  change.move('cancelled');
  change.emit('task.cancelled', { cancelled_by: actor });
  if (leaseId !== null) await withdrawLease(tx, change, leaseId, 'cancelled');
  change.save();
}
