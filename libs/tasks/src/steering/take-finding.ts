import { isId } from '@eas/core';
import type { Tx } from '@eas/db';
import { cancelReview } from '../moves/cancel-review.ts';
import { isLeftToPerson } from '../moves/rework-rounds.ts';
import { sendDirective } from '../moves/send-directive.ts';
import type { TaskChange } from '../moves/task-change.ts';
import { withdrawCompletion } from '../records/agents/agent.store.ts';
import { isReplacedCommit, newestArtifactOf } from '../records/tasks/artifact.store.ts';
import { countPendingMessages, maxPendingMessages } from '../records/directives/directive.store.ts';
import { completionOf } from '../records/tasks/task.ts';
import { beginAgain } from './move-task.ts';

/** What is wrong with work that was handed in: red checks, a review, a conflict. */
export type Finding = {
  /** Why the task is opened again, in a line. */
  reason: string;
  /** The message to the agent that does the work. */
  text: string;
  /** The commit that it was found in; null: whatever the commit. */
  sha: string | null;
};

/**
 * Sends the work of an agent back to it, or to a person once the limit of the project is reached; an agent at work gets
 * a message. Does nothing for a task that has failed, was cancelled or was completed by others, or for a commit that
 * the agent has replaced. A task in review has to be locked with its review.
 */
export async function takeFinding(tx: Tx, change: TaskChange, { reason, text, sha }: Finding): Promise<void> {
  const { task } = change;
  const { status, completedBy } = task;
  if (status === 'failed' || status === 'cancelled') return;
  if (status === 'completed' && !isId('agent', completedBy ?? '')) return;
  if (sha !== null && (await isReplacedCommit(tx, task, sha))) return;
  await sendFinding(tx, change, text);
  if (status === 'completed' || status === 'in_review') await sendBack(tx, change, { reason, sha });
}

/** A message for the agent that does the work, unless too many wait. */
export async function sendFinding(tx: Tx, change: TaskChange, content: string): Promise<void> {
  if ((await countPendingMessages(tx, change.task.id)) >= maxPendingMessages) return;
  await sendDirective(tx, change, { kind: 'message', data: { content, author: change.actor } });
  change.addEntry('message', { content });
}

async function sendBack(tx: Tx, change: TaskChange, { reason, sha }: Omit<Finding, 'text'>): Promise<void> {
  const { task } = change;
  if (sha !== null) {
    task.sentBackSha = sha;
    task.sentBackAfter = await newestArtifactOf(tx, task.id);
  }
  const { reviewTaskId } = task;
  task.reviewTaskId = null;
  if (!(await isLeftToPerson(tx, task))) {
    await beginAgain(tx, change, reason);
    task.reworkRounds += 1;
  } else if (task.status === 'completed') {
    await withdrawCompletion(tx, completionOf(task));
    task.completedAt = null;
    change.move('in_review', reason);
  }
  if (reviewTaskId !== null) await cancelReview(tx, reviewTaskId, change);
}
