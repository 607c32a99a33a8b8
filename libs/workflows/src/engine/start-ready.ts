import { isMet } from '../definitions/language/condition.ts';
import { renderTask } from '../definitions/language/render-task.ts';
import type { RunData } from '../definitions/language/run-data.ts';
import { isDone, moveStep, type Step } from '../records/step.ts';
import { attemptDueAt } from './attempt.ts';
import { definitionOf, type Draft, addStepEntry } from './draft.ts';

/** Starts or skips every step whose needs are done; a skipped step may let others start. */
export function startReady(draft: Draft): void {
  if (draft.run.status !== 'started') return;
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (const step of draft.steps.filter((one) => isReady(draft, one))) {
      const { condition } = definitionOf(draft, step);
      if (condition && !isMet(condition, dataOf(draft))) {
        skip(draft, step);
        isSettled = false;
      } else if (draft.run.pausedAt === null) start(draft, step);
      // It is evaluated again when the run is resumed; no sweep needs to find it.
      else step.dueAt = null;
    }
  }
}

function isReady(draft: Draft, step: Step): boolean {
  if (step.status !== 'pending' || (step.dueAt !== null && step.dueAt > draft.at)) return false;
  const { needs } = definitionOf(draft, step);
  return draft.steps.every((one) => isDone(one) || !needs.includes(one.key));
}

function skip(draft: Draft, step: Step): void {
  moveStep(step, 'skipped');
  step.reason = 'its condition is not met';
  step.finishedAt = draft.at;
  addStepEntry(draft, step, 'step_skipped', { reason: step.reason });
}

function start(draft: Draft, step: Step): void {
  const task = renderTask(definitionOf(draft, step), dataOf(draft), draft.definition);
  moveStep(step, 'in_progress');
  step.attempt += 1;
  step.rejections = 0;
  step.taskId = null;
  step.reason = null;
  step.startedAt ??= draft.at;
  step.dueAt = attemptDueAt(draft, step);
  draft.starts.push({ step, task, entry: addStepEntry(draft, step, 'step_started') });
}

function dataOf({ run: { name, parameters }, steps }: Draft): RunData {
  const bySteps = steps.map(({ key, status, result }) => [key, { status, result: result ?? {} }]);
  return { run: { name }, parameters, steps: Object.fromEntries(bySteps) as RunData['steps'] };
}
