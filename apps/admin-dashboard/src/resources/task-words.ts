import type { Tone } from '../parts/tag.tsx';
import type { TaskStatus } from './task-queries.ts';

const statuses: Readonly<Record<TaskStatus, { label: string; tone: Tone }>> = {
  created: { label: 'Created', tone: 'none' },
  open: { label: 'Open', tone: 'none' },
  in_progress: { label: 'In progress', tone: 'accent' },
  blocked: { label: 'Blocked', tone: 'warn' },
  in_review: { label: 'In review', tone: 'warn' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'none' },
};

export const taskStatuses = Object.keys(statuses) as TaskStatus[];
export const priorities = ['low', 'medium', 'high', 'urgent', 'critical'] as const;
/** Whether an agent can claim it. */
export const isOpen = (status: TaskStatus | null): boolean => status === 'created' || status === 'open';
export const isFinal = (status: TaskStatus): boolean => ['completed', 'failed', 'cancelled'].includes(status);
export const statusLabel = (status: TaskStatus): string => statuses[status].label;
export const statusTone = (status: TaskStatus): Tone => statuses[status].tone;
