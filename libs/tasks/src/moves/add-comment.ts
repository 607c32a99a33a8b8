import { AppError } from '@eas/core';
import type { TenantLimits } from '@eas/db';
import type { NewTimelineEntry } from '../records/timeline/timeline.store.ts';
import type { TaskChange } from './task-change.ts';

/** Adds a comment to the task of a change; `author` if that is not its actor. Throws 409 `limit` beyond the maximum. */
export function addComment(
  { task, actor, addEntry, emit }: TaskChange,
  { content, author }: { content: string; author?: string },
  { commentsPerTask }: TenantLimits,
): NewTimelineEntry {
  if (task.commentCount >= commentsPerTask) throw tooMany(commentsPerTask);
  task.commentCount += 1;
  emit('task.commented', { content, author: author ?? actor });
  return addEntry('comment', { content, ...(author === undefined ? {} : { author }) });
}

function tooMany(limit: number): AppError {
  const message = `The task already has ${limit} comments, the maximum.`;
  return new AppError('conflict', { field: 'comment', constraint: 'limit', message });
}
