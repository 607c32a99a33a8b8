import type { RunDetail } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { readTaskStates } from '@eas/tasks';
import { findDefinition } from '../definitions/find-definition.ts';
import { noSuchRun } from '../records/no-such-run.ts';
import { toRunListItem, toRunResource, toStepDetail } from './run-resource.ts';
import { toRunTimelineItem } from './run-timeline-item.ts';
import { findRun } from './run.read-model.ts';

/** One run with its steps and history, and its version; 404 when the tenant has none of that id. */
export async function getRun(ctx: UseCaseContext, id: string): Promise<{ body: RunDetail; version: number }> {
  const run = await findRun(ctx, id);
  if (!run) throw noSuchRun();
  const found = await findDefinition(ctx, { workflowId: run.workflowId, version: run.workflowVersion });
  const needsOf = new Map(found?.definition.steps.map(({ id: key, needs }) => [key, needs]));
  const tasks = await readTaskStates(
    ctx,
    run.steps.flatMap(({ taskId }) => taskId ?? []),
  );
  const steps = run.steps.map((step) => {
    const task = step.taskId === null ? undefined : tasks.get(step.taskId);
    return {
      ...step,
      needs: needsOf.get(step.key) ?? [],
      assignee: task?.assignedAgent ?? null,
      taskStatus: task?.status ?? null,
      startedAt: moment(step.startedAt),
      finishedAt: moment(step.finishedAt),
    };
  });
  const body = {
    ...toRunListItem(run),
    ...toRunResource(run, steps),
    parameters: run.parameters,
    steps: steps.map(toStepDetail),
    history: run.history.map((entry) => toRunTimelineItem({ ...entry, at: new Date(entry.at) })),
  };
  return { body, version: run.version };
}

const moment = (at: string | null) => (at === null ? null : new Date(at));
