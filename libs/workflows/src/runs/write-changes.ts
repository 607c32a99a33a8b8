import { append, type Tx, type UseCaseContext } from '@eas/db';
import { createPlannedTasks } from '@eas/tasks';
import type { RunChange } from '../engine/advance.ts';
import { endTasks } from './end-tasks.ts';
import { insertRuns, type RunRow, updateRuns } from '../records/run.store.ts';

/** Writes the changes of locked runs, if any: few statements, however many runs there are. */
export async function writeChanges(
  ctx: UseCaseContext,
  tx: Tx,
  decided: readonly (RunChange | undefined)[],
): Promise<void> {
  const changes = decided.filter((change) => change !== undefined);
  if (changes.length === 0) return;
  await endTasks(
    ctx,
    tx,
    changes.flatMap(({ ends }) => ends),
  );
  await updateRuns(tx, await prepare(ctx, tx, changes, 'changed'));
}

export async function writeNewRuns(ctx: UseCaseContext, tx: Tx, changes: readonly RunChange[]): Promise<void> {
  if (changes.length > 0) insertRuns(tx, await prepare(ctx, tx, changes, 'steps'));
}

async function prepare(
  ctx: UseCaseContext,
  tx: Tx,
  changes: readonly RunChange[],
  written: 'steps' | 'changed',
): Promise<RunRow[]> {
  // Before the tasks that follow from it, so that the ids of the events have their order.
  for (const { events } of changes) for (const event of events) append(tx, event);
  await createTasks(ctx, tx, changes);
  return changes.map(({ run, entries, [written]: steps }) => {
    const before = run.timelineSeq;
    run.timelineSeq += entries.length;
    return { run, steps, entries: entries.map((entry, index) => ({ ...entry, seq: before + index + 1 })) };
  });
}

/** The tasks of attempts that begin, named in their steps and entries. */
async function createTasks(ctx: UseCaseContext, tx: Tx, changes: readonly RunChange[]): Promise<void> {
  const starts = changes.flatMap(({ run, starts }) => starts.map((start) => ({ ...start, runId: run.id })));
  const system = { ...ctx, actor: { id: 'system' } };
  const tasks = await createPlannedTasks(
    system,
    tx,
    starts.map(({ task, runId }) => ({ ...task, workflow_run_id: runId })),
  );
  starts.forEach(({ step, entry }, index) => {
    const task = tasks[index];
    if (!task) throw new Error('fewer tasks were created than steps have started');
    step.taskId = task.id;
    Object.assign(entry.data, { task_id: task.id, assignee: task.assigned_agent });
  });
}
