import type { stepStatuses } from '@eas/contracts';

export type StepStatus = (typeof stepStatuses)[number];

/**
 * One unit of a run; a row of run_steps. Each attempt has its own task, except after a rejection, which reuses the
 * task.
 */
export type Step = {
  id: string;
  /** Its id in the definition, and its index there. */
  key: string;
  position: number;
  name: string;
  role: string;
  status: StepStatus;
  attempt: number;
  /** Rejections of the present task that are counted among the attempts. */
  rejections: number;
  taskId: string | null;
  result: Record<string, unknown> | null;
  reason: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When the attempt takes too long or, of a pending step, when the next one may begin. */
  dueAt: Date | null;
  version: number;
};

export const newStep = (step: Pick<Step, 'id' | 'key' | 'position' | 'name' | 'role'>): Step => ({
  ...step,
  status: 'pending',
  attempt: 0,
  rejections: 0,
  taskId: null,
  result: null,
  reason: null,
  startedAt: null,
  finishedAt: null,
  dueAt: null,
  version: 1,
});

const transitions: Record<StepStatus, readonly StepStatus[]> = {
  pending: ['in_progress', 'skipped', 'cancelled'],
  in_progress: ['awaiting_approval', 'completed', 'pending', 'failed', 'cancelled'],
  awaiting_approval: ['in_progress', 'completed', 'pending', 'failed', 'cancelled'],
  failed: ['pending'],
  cancelled: ['pending'],
  completed: [],
  skipped: [],
};

/** Moves a step. Throws for an invalid move, which the engine never makes. */
export function moveStep(step: Step, to: StepStatus): void {
  if (!transitions[step.status].includes(to))
    throw new Error(`step ${step.key} cannot go from ${step.status} to ${to}`);
  step.status = to;
}

/** Its task is worked on, or waits for a decision. */
export const isWorkedOn = ({ status }: Step): boolean => status === 'in_progress' || status === 'awaiting_approval';

/** Steps that need it may start. */
export const isDone = ({ status }: Step): boolean => status === 'completed' || status === 'skipped';
