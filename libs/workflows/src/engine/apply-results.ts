import { formatTimestamp, isId } from '@eas/core';
import { isFinal, type TaskState } from '@eas/tasks';
import { isWorkedOn, moveStep, type Step } from '../records/step.ts';
import { type Decision, definitionOf, type Draft, emit, addStepEntry } from './draft.ts';
import { attemptDueAt, endAttempt, failStep } from './attempt.ts';

/** Updates steps in progress from their tasks, and ends attempts that time out. */
export function applyResults(draft: Draft): void {
  if (draft.run.status !== 'started') return;
  for (const step of draft.steps.filter(isWorkedOn)) {
    const task = draft.tasks.get(step.taskId ?? '');
    if (!task) throw new Error(`the task of step ${step.key} is not there`);
    countRejections(draft, step, task);
    if (isWorkedOn(step)) follow(draft, step, task);
  }
}

/** Each rejection ends an attempt; the next one is on the same task, which may be rejected again before that is known. */
function countRejections(draft: Draft, step: Step, task: TaskState): void {
  const { max_attempts: maxAttempts } = definitionOf(draft, step).retry;
  let isOutOfAttempts = false;
  while (step.rejections < task.rejections) {
    step.rejections += 1;
    const isLatest = step.rejections === task.rejections;
    const said: Said = isLatest ? saidOf(draft, step, 'reject') : [{}];
    addStepEntry(draft, step, 'step_rejected', ...said);
    if (step.attempt < maxAttempts) {
      step.attempt += 1;
      step.dueAt = attemptDueAt(draft, step);
    } else isOutOfAttempts = true;
  }
  if (!isOutOfAttempts) return;
  if (!isFinal(task.status)) draft.ends.push({ how: 'cancel', taskId: task.id });
  failStep(draft, step, `rejected in the last of ${maxAttempts} attempts`);
}

function follow(draft: Draft, step: Step, task: TaskState): void {
  switch (task.status) {
    case 'completed':
      return complete(draft, step, task);
    case 'failed':
      return endAttempt(draft, step, task.results?.reason ?? 'the task failed');
    case 'cancelled':
      return failStep(draft, step, 'the task was cancelled');
    default:
      return goOn(draft, step, task);
  }
}

function complete(draft: Draft, step: Step, { completedBy, completedAt, results }: TaskState): void {
  const { approval } = definitionOf(draft, step);
  // Under approval an agent's work counts only when it is approved; a person may also complete the task as it is.
  if (approval && completedBy !== null && isId('agent', completedBy))
    addStepEntry(draft, step, 'step_approved', ...saidOf(draft, step, 'approve'));
  moveStep(step, 'completed');
  step.result = results?.result ?? {};
  step.reason = null;
  step.dueAt = null;
  // The clock that recorded the end of the task may be ahead of the one for the start of steps.
  step.finishedAt = earlier(completedAt, draft.at);
  addStepEntry(draft, step, 'step_completed', { completed_by: completedBy }, completedBy ?? undefined);
  emit(draft, 'workflow.step_completed', {
    step_id: step.id,
    step_name: step.name,
    role: step.role,
    task_id: step.taskId ?? '',
    completed_by: completedBy,
    attempt: step.attempt,
    step_key: step.key,
    ...(step.startedAt && { started_at: formatTimestamp(step.startedAt) }),
    completion_time: formatTimestamp(step.finishedAt),
  });
}

const earlier = (a: Date | null, b: Date): Date => (a !== null && a < b ? a : b);

/** Its task has not ended. */
function goOn(draft: Draft, step: Step, { id, status }: TaskState): void {
  const to = status === 'in_review' ? 'awaiting_approval' : 'in_progress';
  if (step.status !== to) {
    moveStep(step, to);
    if (to === 'awaiting_approval') addStepEntry(draft, step, 'step_awaiting_approval');
  }
  if (step.dueAt === null || step.dueAt > draft.at) return;
  const reason = `the attempt took longer than ${definitionOf(draft, step).timeout} s`;
  draft.ends.push({ how: 'time_out', taskId: id, reason });
  endAttempt(draft, step, reason);
}

type Said = [data: Record<string, unknown>, actor?: string];

/** Comment and actor of the decision, if it is the current command about the step. */
function saidOf({ act: { actor, decision } }: Draft, { id }: Step, made: Decision['decision']): Said {
  if (decision?.stepId !== id || decision.decision !== made) return [{}];
  return [decision.comment === undefined ? {} : { comment: decision.comment }, actor];
}
