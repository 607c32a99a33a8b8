import type { Schemas } from '../api/client.ts';
import type { Tone } from '../parts/tag.tsx';
import type { RunStatus, Step } from './run-queries.ts';
import { isOpen, statusLabel, statusTone } from './task-words.ts';

type Words = { label: string; tone: Tone };

const statuses: Readonly<Record<RunStatus, Words>> = {
  started: { label: 'Running', tone: 'accent' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'none' },
};

export const runStatuses = Object.keys(statuses) as RunStatus[];
export const runStatusLabel = (status: RunStatus): string => statuses[status].label;

/** A run that is paused still has the status started. */
export const runWords = ({ status, paused_at: pausedAt }: { status: RunStatus; paused_at: string | null }): Words =>
  status === 'started' && pausedAt !== null ? { label: 'Paused', tone: 'warn' } : statuses[status];

const stepStatuses: Readonly<Record<Schemas['StepStatus'], Words>> = {
  pending: { label: 'Pending', tone: 'none' },
  in_progress: { label: 'In progress', tone: 'accent' },
  awaiting_approval: { label: 'Waits for approval', tone: 'warn' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'none' },
  cancelled: { label: 'Cancelled', tone: 'none' },
};

/** The state of a step in progress is that of its task: an agent may not have claimed it yet. */
export function stepWords({ status, task_status: task }: Pick<Step, 'status' | 'task_status'>): Words {
  if (status !== 'in_progress' || task === null) return stepStatuses[status];
  if (isOpen(task)) return { label: 'Waits for an agent', tone: 'none' };
  return task === 'blocked' || task === 'in_review'
    ? { label: statusLabel(task), tone: statusTone(task) }
    : stepStatuses[status];
}
