import { formatTimestamp } from '@eas/core';
import type { Task } from './task.ts';

/** Summary and result are part of the event up to that size each; larger ones are read with the task. */
const maxBroughtBytes = 16 * 1024;

type Brought = { summary?: string; result?: Record<string, unknown> };

export function completedDetails({ completedBy, completedAt, result }: Task) {
  if (completedBy === null || completedAt === null) throw new Error('a task that is not completed has no completion');
  const { summary = null, result: returned = null } = (result ?? {}) as Brought;
  const details = {
    completed_by: completedBy,
    completion_time: formatTimestamp(completedAt),
    summary: isSmall(summary) ? summary : null,
    result: isSmall(returned) ? returned : null,
  };
  return isSmall(summary) && isSmall(returned) ? details : { ...details, outcome_truncated: true };
}

const isSmall = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= maxBroughtBytes;
