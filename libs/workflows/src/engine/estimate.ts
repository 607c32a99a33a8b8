import { criticalPathMs } from '../definitions/language/critical-path.ts';
import { isDone } from '../records/step.ts';
import { definitionOf, type Draft } from './draft.ts';

/** When the run is expected to end: the longest way through what is left of it, as long as steps took so far. */
export function estimateCompletion(draft: Draft): void {
  const { run, definition, at } = draft;
  const left = new Map(draft.steps.map((step) => [step.key, leftMs(draft, step)]));
  run.estimatedCompletion =
    run.finishedAt ?? new Date(at.getTime() + criticalPathMs(definition, (key) => left.get(key) ?? 0));
}

function leftMs(draft: Draft, step: Draft['steps'][number]): number {
  if (isDone(step)) return 0;
  const expectedMs = draft.mediansMs.get(step.key) ?? definitionOf(draft, step).duration * 1_000;
  const elapsedMs = step.startedAt === null ? 0 : draft.at.getTime() - step.startedAt.getTime();
  return Math.max(0, expectedMs - elapsedMs);
}
