import { moveRun, wrongState } from '../records/run.ts';
import { moveStep } from '../records/step.ts';
import { finish } from './conclude.ts';
import { type Draft, emit, addEntry } from './draft.ts';

/** Applies a person's command to a run, after pending results. Throws 409 `state`. */
export type Command = (draft: Draft) => void;

export const begin: Command = (draft) => {
  const { actor } = draft.act;
  addEntry(draft, 'started', {}, actor);
  emit(draft, 'workflow.started', { started_by: actor });
};

export const pause: Command = (draft) => {
  assertStarted(draft, 'paused');
  if (draft.run.pausedAt !== null) throw wrongState('The run is already paused.', 'paused_at');
  draft.run.pausedAt = draft.at;
  addEntry(draft, 'paused', {}, draft.act.actor);
};

export const resume: Command = (draft) => {
  assertStarted(draft, 'resumed');
  if (draft.run.pausedAt === null) throw wrongState('The run is not paused.', 'paused_at');
  draft.run.pausedAt = null;
  addEntry(draft, 'resumed', {}, draft.act.actor);
};

export const cancel: Command = (draft) => {
  assertStarted(draft, 'cancelled');
  const { actor } = draft.act;
  finish(draft, 'cancelled', 'the run was cancelled');
  addEntry(draft, 'cancelled', {}, actor);
  emit(draft, 'workflow.cancelled', { cancelled_by: actor });
};

/** Repeats failed steps, with all attempts, and those cancelled because of them; the rest stays. */
export const retry: Command = (draft) => {
  const { run, act } = draft;
  if (run.status !== 'failed') throw wrongState(`Only a failed run can be retried; this one is ${run.status}.`);
  moveRun(run, 'started');
  run.finishedAt = null;
  addEntry(draft, 'retried', {}, act.actor);
  for (const step of draft.steps) {
    if (step.status !== 'failed' && step.status !== 'cancelled') continue;
    moveStep(step, 'pending');
    step.attempt = 0;
    step.reason = null;
    step.startedAt = null;
    step.finishedAt = null;
  }
};

function assertStarted({ run: { status } }: Draft, wanted: string): void {
  if (status !== 'started') throw wrongState(`A run that is ${status} cannot be ${wanted}.`);
}
