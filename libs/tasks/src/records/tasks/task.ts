import type { TaskFacts } from '@eas/contracts';
import { AppError, formatTimestamp, isId } from '@eas/core';
import type { RowOf } from '@eas/db';
import type { taskColumns, TaskPriority, TaskStatus } from './task-columns.ts';

export type { TaskPriority, TaskStatus };

export type Task = RowOf<typeof taskColumns>;

const transitions: Record<TaskStatus, readonly TaskStatus[]> = {
  created: ['in_progress', 'completed', 'failed', 'cancelled'],
  open: ['in_progress', 'completed', 'failed', 'cancelled'],
  in_progress: ['open', 'blocked', 'in_review', 'completed', 'failed', 'cancelled'],
  blocked: ['in_progress', 'open', 'completed', 'failed', 'cancelled'],
  in_review: ['completed', 'open', 'cancelled'],
  completed: ['open', 'in_review'],
  failed: ['open'],
  cancelled: ['open'],
};

/** Throws 409 `state` unless the state machine allows the change. */
export function assertTransition(from: TaskStatus, to: TaskStatus): void {
  if (transitions[from].includes(to)) return;
  throw new AppError('conflict', {
    field: 'status',
    constraint: 'state',
    message: `A task that is ${from} cannot become ${to}.`,
  });
}

export function isFinal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** It is not claimed and waits for no answer: its agent is only a plan. */
export function isUnclaimed({ status }: Pick<Task, 'status'>): boolean {
  return status === 'created' || status === 'open';
}

/** What a completed task counts for in the stats of the agent that completed it, and in the median of its role. */
export type Completion = {
  taskId: string;
  role: string | null;
  by: string | null;
  at: Date | null;
  /** null: it was not claimed. */
  durationMs: number | null;
  codeQuality: number | null;
};

/** From the first claim to the completion. The clock of the one is the database's, of the other the process's. */
export function completionOf(task: Task): Completion {
  const { completedBy: by, completedAt: at, firstClaimedAt, codeQuality } = task;
  const durationMs = at && firstClaimedAt ? Math.max(0, at.getTime() - firstClaimedAt.getTime()) : null;
  return { taskId: task.id, role: task.assignedRole, by, at, durationMs, codeQuality };
}

const hourMs = 3_600_000;
const headStartHours: Record<TaskPriority, number> = { critical: 48, urgent: 24, high: 16, medium: 8, low: 0 };

/**
 * The order of claims, earliest first: created_at less a head start by priority, and 8 h more when the task is due
 * within a day of `now`. Time alone moves every task to the front, so nothing starves.
 */
export function claimRank(task: { createdAt: Date; priority: TaskPriority; dueDate: Date | null }, now: Date): Date {
  const isDueSoon = task.dueDate !== null && task.dueDate.getTime() - now.getTime() <= 24 * hourMs;
  const headStart = headStartHours[task.priority] + (isDueSoon ? 8 : 0);
  return new Date(task.createdAt.getTime() - headStart * hourMs);
}

export type TaskWithFacts = Pick<
  Task,
  | 'version'
  | 'assignedRole'
  | 'status'
  | 'createdAt'
  | 'dueDate'
  | 'firstClaimedAt'
  | 'completedAt'
  | 'codeQuality'
  | 'requirementsClarity'
  | 'workflowRunId'
  | 'completedBy'
  | 'sentBack'
  | 'reopenedAt'
> &
  Partial<Pick<Task, 'metadata' | 'projectId'>>;

/** What the task is called where it came from. */
export function ticketIdOf({ metadata }: Partial<Pick<Task, 'metadata'>>): string | null {
  const id = metadata?.['ticket_id'];
  return typeof id === 'string' ? id.slice(0, 255).toWellFormed() : null;
}

export function taskFacts(task: TaskWithFacts): TaskFacts {
  const ticketId = ticketIdOf(task);
  const optional = (at: Date | null) => at && formatTimestamp(at);
  return {
    version: task.version,
    role: task.assignedRole,
    status: task.status,
    created_at: formatTimestamp(task.createdAt),
    due_date: optional(task.dueDate),
    first_claimed_at: optional(task.firstClaimedAt),
    completed_at: optional(task.completedAt),
    code_quality: task.codeQuality,
    requirements_clarity: task.requirementsClarity,
    sent_back: task.sentBack,
    ...(task.reopenedAt === null ? {} : { ready_at: formatTimestamp(task.reopenedAt) }),
    ...(task.status === 'completed' && isId('agent', task.completedBy ?? '') ? { agent: task.completedBy } : {}),
    ...(task.workflowRunId === null ? {} : { run_id: task.workflowRunId }),
    ...(ticketId === null ? {} : { ticket_id: ticketId }),
    ...(typeof task.projectId === 'string' ? { project_id: task.projectId } : {}),
  };
}
