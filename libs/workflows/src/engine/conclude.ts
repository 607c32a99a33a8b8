import { formatTimestamp } from '@eas/core';
import { moveRun, type RunStatus } from '../records/run.ts';
import { isDone, isWorkedOn, moveStep, type Step } from '../records/step.ts';
import { type Draft, emit, addEntry, addStepEntry } from './draft.ts';

/** A run with a failed step has failed; one whose steps are all done is completed. */
export function conclude(draft: Draft): void {
  if (draft.run.status !== 'started') return;
  const failed = draft.steps.find(({ status }) => status === 'failed');
  if (failed) fail(draft, failed);
  else if (draft.steps.every(isDone)) complete(draft);
}

function fail(draft: Draft, { id, key, name, reason }: Step): void {
  finish(draft, 'failed', `step ${key} failed`);
  const data = { step_id: id, reason: reason ?? '' };
  addEntry(draft, 'failed', { ...data, key });
  emit(draft, 'workflow.failed', { ...data, step_name: name });
}

function complete(draft: Draft): void {
  finish(draft, 'completed');
  addEntry(draft, 'completed');
  emit(draft, 'workflow.completed', { completion_time: formatTimestamp(draft.at) });
}

/** Ends a run. What has not ended in it is cancelled, with the tasks that are worked on. */
export function finish(draft: Draft, status: Exclude<RunStatus, 'started'>, reason = ''): void {
  const { run, steps, at, ends } = draft;
  for (const step of steps) {
    if (isWorkedOn(step) && step.taskId !== null) ends.push({ how: 'cancel', taskId: step.taskId });
    if (isWorkedOn(step) || step.status === 'pending') cancelStep(draft, step, reason);
  }
  moveRun(run, status);
  run.pausedAt = null;
  run.finishedAt = at;
}

function cancelStep(draft: Draft, step: Step, reason: string): void {
  moveStep(step, 'cancelled');
  step.reason = reason;
  step.dueAt = null;
  step.finishedAt = draft.at;
  addStepEntry(draft, step, 'step_cancelled', { reason });
}
