import { AppError } from '@eas/core';
import type { Tx } from '@eas/db';
import { withdrawCompletion } from '../records/agents/agent.store.ts';
import { recordCompletions } from '../records/leases/lease.store.ts';
import { keepsAgent } from '../records/agents/keeps-agent.ts';
import { assertNamesReviewer } from '../records/acceptance/acceptance.ts';
import { cancelReview } from '../moves/cancel-review.ts';
import { startRounds } from '../moves/rework-rounds.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';
import type { TaskChange } from '../moves/task-change.ts';
import { completionOf, isFinal, type TaskStatus } from '../records/tasks/task.ts';
import { keepCheckpoint } from '../records/tasks/task.store.ts';

/** Ends a task for a person or a platform. An agent that works on it loses the lease, which is locked. */
export async function endTask(tx: Tx, change: TaskChange, to: 'completed' | 'cancelled'): Promise<void> {
  const { task } = change;
  const { leaseId, reviewTaskId, status } = task;
  change.move(to);
  // What a review rejected is not what the task is completed with.
  if (status !== 'in_review') task.result = null;
  task.isHeld = false;
  task.completedAt = to === 'completed' ? change.at : null;
  task.completedBy = to === 'completed' ? change.actor : null;
  task.reviewTaskId = null;
  if (to === 'completed') recordCompletions(tx, [completionOf(task)]);
  if (reviewTaskId !== null) await cancelReview(tx, reviewTaskId, change);
  if (leaseId === null) return;
  await withdrawLease(tx, change, leaseId, to === 'completed' ? 'completed_elsewhere' : 'cancelled');
}

/** Opens a final task: the work begins again, and earlier counts and reports are reset. */
export async function reopenTask(tx: Tx, change: TaskChange): Promise<void> {
  const { task } = change;
  if (!isFinal(task.status)) throw notFrom(task.status, 'open');
  await beginAgain(tx, change);
  startRounds(task);
  await keepCheckpoint(tx, task.id, null);
}

/** Opens a task that has ended or is in review, with what its agent left. Its review has to be cancelled. */
export async function beginAgain(tx: Tx, change: TaskChange, reason?: string): Promise<void> {
  const { task } = change;
  if (task.status === 'completed') await withdrawCompletion(tx, completionOf(task));
  if (task.status === 'completed' || task.status === 'in_review') task.sentBack += 1;
  task.reopenedAt = change.at;
  change.move('open', reason);
  task.isHeld = false;
  task.firstClaimedAt = null;
  task.completedAt = null;
  task.completedBy = null;
  task.failures = 0;
  task.lostLeases = 0;
  task.notBefore = null;
  task.lostBy = null;
  task.restsUntil = null;
  task.percentComplete = null;
  task.estimateRemaining = null;
  task.milestones = [];
  task.codeQuality = null;
  task.requirementsClarity = null;
  task.result = null;
  if (!(await keepsAgent(tx, task))) {
    assertNamesReviewer({ ...task, isPinned: false });
    task.assignedAgent = null;
    task.isPinned = false;
  }
}

/** Moves a task as a person asks: whatever is not final to completed, whatever is final to open. The rest is 409. */
export async function moveByHand(tx: Tx, change: TaskChange, to: TaskStatus): Promise<void> {
  const { status } = change.task;
  if (to === status) return;
  if (to === 'completed') return endTask(tx, change, to);
  if (to === 'open') return reopenTask(tx, change);
  throw notFrom(status, to);
}

function notFrom(from: TaskStatus, to: TaskStatus): AppError {
  const message = `status cannot change from ${from} to ${to} by request. PATCH completes or reopens a task, DELETE cancels it.`;
  return new AppError('conflict', { field: 'status', constraint: 'state', message });
}
