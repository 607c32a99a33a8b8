import type { runStatuses } from '@eas/contracts';
import { AppError } from '@eas/core';

export type RunStatus = (typeof runStatuses)[number];

/** One execution of a workflow; a row of workflow_runs. */
export type Run = {
  id: string;
  workflowId: string;
  workflowVersion: number;
  name: string;
  parameters: Record<string, unknown>;
  status: RunStatus;
  startedAt: Date;
  startedBy: string;
  estimatedCompletion: Date;
  /** Since when a started run starts no further step. */
  pausedAt: Date | null;
  finishedAt: Date | null;
  version: number;
  timelineSeq: number;
};

const transitions: Record<RunStatus, readonly RunStatus[]> = {
  started: ['completed', 'failed', 'cancelled'],
  failed: ['started'],
  completed: [],
  cancelled: [],
};

/** Moves a run. Throws 409 `state` where it may not. */
export function moveRun(run: Run, to: RunStatus): void {
  if (!transitions[run.status].includes(to)) throw wrongState(`A run that is ${run.status} cannot become ${to}.`);
  run.status = to;
}

/** 409: the state of the run does not allow the command. */
export function wrongState(message: string, field = 'status'): AppError {
  return new AppError('conflict', { field, constraint: 'state', message });
}
