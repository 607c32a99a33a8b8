import type { Run } from '../records/run.ts';
import type { Step } from '../records/step.ts';
import type { Command } from './commands.ts';
import { conclude } from './conclude.ts';
import { type Act, type Draft, type RunState, startDraft } from './draft.ts';
import { estimateCompletion } from './estimate.ts';
import { startReady } from './start-ready.ts';
import { applyResults } from './apply-results.ts';

/** The changes that bring a run up to date: rows to write, tasks to create and end, events to publish. */
export type RunChange = Pick<Draft, 'entries' | 'events' | 'starts' | 'ends'> & {
  run: Run;
  /** All of them in their order, and those that differ from before, each with its next version. */
  steps: Step[];
  changed: Step[];
};

/**
 * The engine. From the current state of a run and its tasks it decides all changes; undefined: none. It depends only on
 * state, so repeated, late or reordered inputs change nothing. A command of a person is applied after pending results
 * and before new steps start; it throws 409 `state` if the state of the run does not allow it.
 */
export function advance(state: RunState, act: Act, command?: Command): RunChange | undefined {
  const draft = startDraft(state, act);
  applyResults(draft);
  conclude(draft);
  command?.(draft);
  startReady(draft);
  conclude(draft);
  const changed = draft.steps.filter((step, index) => isChanged(step, state.steps[index]));
  if (changed.length === 0 && !isChanged(draft.run, state.run)) return undefined;
  estimateCompletion(draft);
  for (const row of [draft.run, ...changed]) row.version += 1;
  const { run, steps, entries, events, starts, ends } = draft;
  return { run, steps, changed, entries, events, starts, ends };
}

/** Values are replaced, never changed in place. */
function isChanged<T extends Run | Step>(now: T, before: T | undefined): boolean {
  return Object.entries(now).some(([field, value]) => value !== before?.[field as keyof T]);
}
