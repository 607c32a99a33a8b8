import type { Tx } from '@eas/db';
import { lockLeaseOf } from '../records/leases/lease.store.ts';
import { withdrawLease } from './withdraw-lease.ts';
import { startChange, type TaskChange } from './task-change.ts';
import { isFinal } from '../records/tasks/task.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { reviewTaskOf } from '../records/acceptance/review.store.ts';

/** Locks the review of a task, if there is one, and its lease: before the task itself, as the end of the review does. */
export async function lockReviewOf(tx: Tx, taskId: string): Promise<void> {
  const reviewId = await reviewTaskOf(tx, taskId);
  if (reviewId === undefined) return;
  await lockLeaseOf(tx, reviewId);
  await lockTask(tx, reviewId);
}

/** Cancels a review that nobody waits for any more. */
export async function callOffReview(
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
