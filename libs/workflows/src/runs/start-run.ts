import type { RunResource, StartRunBody } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import { batched, type BatchItem, type BatchResult, type Tx, type UseCaseContext } from '@eas/db';
import { assertParameters } from '../definitions/language/assert-parameters.ts';
import { findDefinition, type FoundDefinition } from '../definitions/find-definition.ts';
import { findCurrent } from '../definitions/workflow.read-model.ts';
import { noSuchWorkflow } from '../definitions/workflow.ts';
import { advance, type RunChange } from '../engine/advance.ts';
import { begin } from '../engine/commands.ts';
import { toRunResource } from '../reading/run-resource.ts';
import { mediansOf } from './open-runs.ts';
import { type Run, wrongState } from '../records/run.ts';
import { newStep } from '../records/step.ts';
import { writeNewRuns } from './write-changes.ts';

type StartRun = { workflowId: string; body: StartRunBody };

type Starting = BatchItem<StartRun>;

/** Its root step is in progress on return. Throws 404, invalid_input naming a wrong parameter, and 409 if archived. */
export const startRun = batched(async (tx, starting: readonly Starting[]): Promise<BatchResult<RunResource>[]> => {
  const definitions = await definitionsOf(tx, starting);
  const medians = await mediansOf(tx, definitions.values());
  const begun = starting.map(({ ctx, input }) => {
    try {
      const found = definitions.get(input.workflowId);
      if (!found) throw noSuchWorkflow();
      if (found.isArchived) throw wrongState(archivedMessage, 'workflow_id');
      assertParameters(found.definition, input.body.parameters);
      return { change: beginRun(ctx, found, input.body, medians.get(input.workflowId) ?? new Map()) };
    } catch (error) {
      return { error };
    }
  });
  const [first] = starting;
  if (first)
    await writeNewRuns(
      first.ctx,
      tx,
      begun.flatMap(({ change }) => change ?? []),
    );
  return begun.map(({ change, error }) =>
    change ? { ok: true, value: toRunResource(change.run, withAssignees(change)) } : { ok: false, error },
  );
});

const archivedMessage = 'No run of an archived workflow can start. Unarchive it, or start another workflow.';

type CurrentDefinition = FoundDefinition & { isArchived: boolean };

async function definitionsOf(tx: Tx, starting: readonly Starting[]): Promise<Map<string, CurrentDefinition>> {
  const found = new Map<string, CurrentDefinition>();
  for (const workflowId of new Set(starting.map(({ input }) => input.workflowId))) {
    const current = await findCurrent(tx, workflowId);
    const definition = current && (await findDefinition(tx, { workflowId, version: current.version }));
    if (definition) found.set(workflowId, { ...definition, isArchived: current.isArchived });
  }
  return found;
}

function beginRun(
  { clock, actor }: UseCaseContext,
  { workflowId, version, definition }: FoundDefinition,
  { name, parameters }: StartRunBody,
  mediansMs: ReadonlyMap<string, number>,
): RunChange {
  const id = newId('run', clock.now().getTime());
  // Lists by started_at are read in the order of ids: both have the same time.
  const at = new Date(idTimeMs(id));
  const run: Run = {
    id,
    workflowId,
    workflowVersion: version,
    name,
    parameters,
    status: 'started',
    startedAt: at,
    version: 0,
    startedBy: actor.id,
    estimatedCompletion: at,
    pausedAt: null,
    finishedAt: null,
    timelineSeq: 0,
  };
  const steps = definition.steps.map(({ id: key, name: stepName, role }, position) =>
    newStep({ id: newId('step'), key, position, name: stepName, role }),
  );
  const state = { at, run, definition, steps, tasks: new Map(), mediansMs };
  const change = advance(state, { actor: actor.id }, begin);
  if (!change) throw new Error('a run that begins changes nothing');
  return change;
}

function withAssignees({ steps, starts }: RunChange) {
  return steps.map((step) => {
    const task = starts.find((start) => start.step === step)?.entry.data['assignee'];
    return { ...step, assignee: typeof task === 'string' ? task : null };
  });
}
