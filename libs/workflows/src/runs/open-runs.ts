import { assertVersion } from '@eas/core';
import type { Tx } from '@eas/db';
import { readTaskStates } from '@eas/tasks';
import { findDefinition, type FoundDefinition } from '../definitions/find-definition.ts';
import type { RunState } from '../engine/draft.ts';
import { noSuchRun } from '../records/no-such-run.ts';
import type { Run } from '../records/run.ts';
import { lockRuns, readSteps } from '../records/run.store.ts';
import { isWorkedOn } from '../records/step.ts';
import { readMedians } from '../records/step-duration.read-model.ts';

/** One run, and the versions of it that the caller means; undefined: any. */
export type RunCall = { runId: string; ifMatch?: readonly number[] | undefined };

/** Opens one run. Throws 404 and 412. */
export async function openRun(tx: Tx, { runId, ifMatch }: RunCall): Promise<RunState> {
  const [state] = await openRuns(tx, [runId]);
  if (!state) throw noSuchRun();
  assertVersion(state.run.version, ifMatch);
  return state;
}

/** Locks runs and reads the input of the engine under the locks. Without `mayWait` only small ones that are free. */
export async function openRuns(
  tx: Tx,
  runIds: readonly string[],
  { mayWait = true }: { mayWait?: boolean } = {},
): Promise<RunState[]> {
  const locked = await lockRuns(tx, runIds, { mayWait });
  if (locked.length === 0) return [];
  const runs = locked.map(({ run }) => run);
  const definitions = await definitionsOf(tx, runs);
  const steps = await readSteps(
    tx,
    runs.map(({ id }) => id),
  );
  const taskIds = [...steps.values()].flat().flatMap((step) => (isWorkedOn(step) ? (step.taskId ?? []) : []));
  const tasks = await readTaskStates(tx, taskIds);
  const medians = await mediansOf(tx, definitions.values());
  return locked.map(({ run, at }) => {
    const definition = definitions.get(versionKey(run))?.definition;
    if (!definition) throw new Error(`the definition of run ${run.id} is not there`);
    const ofRun = { at, run, definition, steps: steps.get(run.id) ?? [] };
    return { ...ofRun, tasks, mediansMs: medians.get(run.workflowId) ?? new Map() };
  });
}

export function mediansOf(tx: Tx, definitions: Iterable<FoundDefinition>): ReturnType<typeof readMedians> {
  const steps = [...definitions].flatMap(({ workflowId, definition }) =>
    definition.steps.map(({ id: key }) => ({ workflowId, key })),
  );
  return readMedians(tx, steps);
}

const versionKey = ({ workflowId, workflowVersion }: Run): string => `${workflowId} ${workflowVersion}`;

async function definitionsOf(tx: Tx, runs: readonly Run[]): Promise<Map<string, FoundDefinition>> {
  const found = new Map<string, FoundDefinition>();
  for (const run of runs) {
    const { workflowId, workflowVersion: version } = run;
    if (found.has(versionKey(run))) continue;
    const definition = await findDefinition(tx, { workflowId, version });
    if (definition) found.set(versionKey(run), definition);
  }
  return found;
}
