import type { CompleteBody, ReviewBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { TenantLimits, Tx } from '@eas/db';
import { sendDirective } from './send-directive.ts';
import { keepsAgent } from '../records/agents/keeps-agent.ts';
import { openAgain } from './open-again.ts';
import { type LineFinding, lineFindingsOf, reviewText } from '../records/acceptance/line-findings.ts';
import { forgetCommit, isLeftToPerson, startRounds } from './rework-rounds.ts';
import { addComment } from './add-comment.ts';
import { startChange, type TaskChange } from './task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { finishTask } from './finish-task.ts';

type TaskResults = Pick<CompleteBody, 'result' | 'scores'>;
export type Decision = Omit<ReviewBody, 'submission'> & { decision: 'approve' | 'reject' };
/** Of an agent. */
type AgentDecision = Decision & { findings?: readonly LineFinding[] };

/** A review has ended with the decision that its acceptance rules require: applies it to the reviewed task. */
export async function decideReviewed(
  tx: Tx,
  review: TaskChange,
  taskResults: TaskResults,
  limits: TenantLimits,
): Promise<void> {
  const { reviewOf, id } = review.task;
  if (reviewOf === null) return;
  const task = await lockTask(tx, reviewOf);
  // A person may have decided earlier.
  if (task?.reviewTaskId !== id) return;
  const change = startChange(tx, task, review);
  const result = taskResults.result as Decision & { findings?: unknown };
  const decision = { ...result, findings: lineFindingsOf(result.findings), scores: taskResults.scores };
  await decide(tx, change, { ...decision, isByAgent: true }, limits);
  change.save();
}

/**
 * Approves the work of a task in review, or sends it back; the caller saves the change. After too many rejections by
 * agents (a limit of the project) the task waits for a person. Throws 409 `state`.
 */
export async function decide(
  tx: Tx,
  change: TaskChange,
  { decision, comment, scores, findings = [], isByAgent = false }: AgentDecision & { isByAgent?: boolean },
  limits: TenantLimits,
): Promise<void> {
  const { task } = change;
  const author = task.completedBy;
  if (task.status !== 'in_review' || author === null) throw notInReview(task.status);
  task.reviewTaskId = null;
  if (isByAgent) forgetCommit(task);
  else startRounds(task);
  const said = comment ?? (findings.length > 0 ? 'The review has findings.' : undefined);
  const text = said === undefined ? undefined : reviewText(said, findings);
  if (text !== undefined) addComment(change, { content: text }, limits);
  if (decision === 'reject') return reject(tx, change, { comment: text, isByAgent });
  task.codeQuality = scores?.code_quality ?? task.codeQuality;
  task.requirementsClarity = scores?.requirements_clarity ?? task.requirementsClarity;
  finishTask(tx, change, author);
}

type Rejection = { comment: string | undefined; isByAgent: boolean };

/**
 * The task stays planned for its author if that agent is still eligible; the agent that claims it gets the reviewer's
 * comment.
 */
async function reject(
  tx: Tx,
  change: TaskChange,
  { comment = 'The review rejected the work.', isByAgent }: Rejection,
): Promise<void> {
  const { task, actor } = change;
  await sendDirective(tx, change, { kind: 'message', data: { content: comment, author: actor } });
  if (isByAgent && (await isLeftToPerson(tx, task))) return leaveToPerson(change);
  openAgain(change, undefined, { keepsAgent: await keepsAgent(tx, task) });
  task.completedBy = null;
  task.sentBack += 1;
  task.codeQuality = null;
  task.requirementsClarity = null;
  if (isByAgent) task.reworkRounds += 1;
}

/** The task stays in review, and waits for a person instead of the agent that has rejected it. */
function leaveToPerson({ addEntry, emit }: TaskChange): void {
  const changed = ['waiting_on'];
  addEntry('edit', { changed });
  emit('task.updated', { from: 'in_review', to: 'in_review', changed });
}

function notInReview(status: string): AppError {
  const message = `Only a task in review can be approved or rejected; this one is ${status}.`;
  return new AppError('conflict', { field: 'status', constraint: 'state', message });
}
