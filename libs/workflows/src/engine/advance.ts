import type { Run } from '../records/run.ts';
import type { Step } from '../records/step.ts';
import type { Command } from './commands.ts';
import { conclude } from './conclude.ts';
import { type Act, type Draft, type RunState, startDraft } from './draft.ts';
import { estimateCompletion } from './estimate.ts';
import { startReady } from './start-ready.ts';
import { takeIn } from './take-in.ts';

/** What is to be written, created, ended and published so that a run is where it belongs. */
export type RunChange = Pick<Draft, 'entries' | 'events' | 'starts' | 'ends'> & {
  run: Run;
  /** All of them in their order, and those that differ from before, each with its next version. */
  steps: Step[];
  changed: Step[];
};

/**
 * The engine. From where a run and its tasks are now it decides everything that follows; undefined: nothing does. It
 * looks at state alone, so what comes twice, late or in another order changes nothing. A command of a person comes in
 * between what has happened and what starts next; it throws 409 `state` where the run is not such that it can be done.
 */
export function advance(state: RunState, act: Act, command?: Command): RunChange | undefined {
  const draft = startDraft(state, act);
  takeIn(draft);
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
