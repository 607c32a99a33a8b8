import type { ActivityEntry, TaskDetail } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { percentComplete } from './progress.ts';
import { toResource } from './task-resource.ts';
import { findTask } from './task.read-model.ts';
import { type ActivityRow, taskActivity } from './timeline.read-model.ts';

/** One task with progress and activity; 404 when the tenant has none of that id. */
export async function getTask(ctx: UseCaseContext, id: string): Promise<TaskDetail> {
  const [task, activity] = await Promise.all([findTask(ctx, id), taskActivity(ctx, id)]);
  if (!task) throw new AppError('not_found', { message: 'no such task' });
  return {
    ...toResource(task),
    updated_at: formatTimestamp(task.updatedAt),
    progress: {
      percent_complete: percentComplete(task),
      estimate_remaining: task.status === 'completed' ? '0h' : (task.estimateRemaining ?? '0h'),
      milestones: task.milestones,
    },
    activity: activity.map(toActivityEntry),
  };
}

function toActivityEntry({ kind, at, data }: ActivityRow): ActivityEntry {
  const timestamp = formatTimestamp(at);
  return kind === 'comment'
    ? { type: kind, content: data['content'] ?? '', timestamp }
    : { type: kind, from: data['from'] ?? '', to: data['to'] ?? '', timestamp };
}
