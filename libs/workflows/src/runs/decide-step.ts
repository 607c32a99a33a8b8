import type { ReviewBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { decideByHand, readTaskStates } from '@eas/tasks';
import { advance } from '../engine/advance.ts';
import type { Decision, RunState } from '../engine/draft.ts';
import { getRun } from '../reading/get-run.ts';
import { inFreshTransaction } from './end-tasks.ts';
import { openRun, type RunCall } from './open-runs.ts';
import { wrongState } from '../records/run.ts';
import { writeChanges } from './write-changes.ts';

type DecideInput = RunCall & ReviewBody & Pick<Decision, 'stepId' | 'decision'>;

/** Decides about the step's task. Throws 404, 412, and 409 for a step that does not wait for approval or has other work there. */
export async function decideStep(
  ctx: UseCaseContext,
  { runId, ifMatch, stepId, submission, decision, comment, scores }: DecideInput,
): ReturnType<typeof getRun> {
  await inFreshTransaction(ctx, async (tx) => {
    const state = await openRun(tx, { runId, ifMatch });
    const taskId = taskInReview(state, stepId);
    await decideByHand(contextInTransaction(ctx, tx), { taskId, submission, decision, comment, scores });
    const tasks = new Map([...state.tasks, ...(await readTaskStates(tx, [taskId]))]);
    const act = { actor: ctx.actor.id, decision: { stepId, decision, comment } };
    await writeChanges(ctx, tx, [advance({ ...state, tasks }, act)]);
  });
  return getRun(ctx, runId);
}

/** The task's own state counts, even if the run has not received it yet. */
function taskInReview({ run, steps, tasks }: RunState, stepId: string): string {
  const step = steps.find(({ id }) => id === stepId);
  if (!step) throw new AppError('not_found', { message: 'The step does not exist.' });
  const task = tasks.get(step.taskId ?? '');
  if (run.status === 'started' && task?.status === 'in_review') return task.id;
  throw wrongState(`Only a step that waits for approval can be approved or rejected; this one is ${step.status}.`);
}
