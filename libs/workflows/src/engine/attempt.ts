import { formatTimestamp } from '@eas/core';
import { moveStep, type Step } from '../records/step.ts';
import { definitionOf, type Draft, addStepEntry } from './draft.ts';

const shortened = (reason: string): string => reason.slice(0, 2_000).toWellFormed();

/** The time-out of an attempt that begins now. */
export function attemptDueAt(draft: Draft, step: Step): Date | null {
  const { timeout } = definitionOf(draft, step);
  return timeout === undefined ? null : inSeconds(draft, timeout);
}

/** An attempt has failed: schedules another one, as long as some remain. */
export function endAttempt(draft: Draft, step: Step, because: string): void {
  const { max_attempts: maxAttempts, backoff } = definitionOf(draft, step).retry;
  if (step.attempt >= maxAttempts) return failStep(draft, step, because);
  const reason = shortened(because);
  moveStep(step, 'pending');
  step.reason = reason;
  step.dueAt = backoff === 0 ? null : inSeconds(draft, backoff * 2 ** (step.attempt - 1));
  addStepEntry(draft, step, 'step_failed', { reason, retry_at: formatTimestamp(step.dueAt ?? draft.at) });
}

export function failStep(draft: Draft, step: Step, because: string): void {
  const reason = shortened(because);
  moveStep(step, 'failed');
  step.reason = reason;
  step.dueAt = null;
  step.finishedAt = draft.at;
  addStepEntry(draft, step, 'step_failed', { reason });
}

function inSeconds({ at }: Draft, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
