import type { RunListItem, RunResource, RunStepDetail, RunStepSummary } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { Run } from '../records/run.ts';
import type { Step } from '../records/step.ts';

export type ShownRun = Pick<
  Run,
  | 'id'
  | 'name'
  | 'workflowId'
  | 'workflowVersion'
  | 'status'
  | 'startedAt'
  | 'estimatedCompletion'
  | 'pausedAt'
  | 'finishedAt'
>;

/** What a step shows of itself; `assignee`: the agent of its task, null without one. */
export type ShownStep = Pick<Step, 'id' | 'name' | 'status'> & { assignee: string | null };

/** The fields of a step in its run, without its assignee. */
export type FullStep = Pick<
  Step,
  'id' | 'key' | 'name' | 'role' | 'status' | 'taskId' | 'attempt' | 'startedAt' | 'finishedAt' | 'reason' | 'result'
>;

const optional = (at: Date | null) => at && formatTimestamp(at);

function commonFields(run: ShownRun) {
  return {
    workflow_run_id: run.id,
    name: run.name,
    workflow_id: run.workflowId,
    status: run.status,
    started_at: formatTimestamp(run.startedAt),
    estimated_completion: formatTimestamp(run.estimatedCompletion),
  };
}

export function toRunListItem(run: ShownRun): RunListItem {
  return {
    ...commonFields(run),
    workflow_version: run.workflowVersion,
    paused_at: optional(run.pausedAt),
    finished_at: optional(run.finishedAt),
  };
}

/** A run as its start returns it; the steps are in the order of the definition. */
export function toRunResource(run: ShownRun, steps: readonly ShownStep[]): RunResource {
  const current = steps.find(({ status }) => status === 'in_progress' || status === 'awaiting_approval');
  return {
    ...commonFields(run),
    current_step: current ? toSummary(current) : null,
    next_steps: steps.filter(({ status }) => status === 'pending').map(toSummary),
  };
}

/** The task of a pending step is that of an attempt which is over. */
function toSummary({ id, name, assignee, status }: ShownStep): RunStepSummary {
  return { id, name, assignee: status === 'pending' ? null : assignee, status };
}

type StepOfTask = { needs: readonly string[]; taskStatus: RunStepDetail['task_status'] };

export function toStepDetail(step: FullStep & ShownStep & StepOfTask): RunStepDetail {
  return {
    ...toSummary(step),
    key: step.key,
    role: step.role,
    needs: [...step.needs],
    task_id: step.taskId,
    task_status: step.taskStatus,
    attempt: step.attempt,
    started_at: optional(step.startedAt),
    finished_at: optional(step.finishedAt),
    reason: step.reason,
    result: step.result,
  };
}
