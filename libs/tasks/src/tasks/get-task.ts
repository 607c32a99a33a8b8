import type { ActivityEntry, TaskDetail } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { percentComplete } from './progress.ts';
import { toResource } from './task-resource.ts';
import { type ActivityRow, findTasksWithActivity } from './task.read-model.ts';

/** One task with progress and activity, and its version; 404 when the tenant has none of that id. */
export async function getTask(ctx: UseCaseContext, id: string): Promise<{ body: TaskDetail; version: number }> {
  const task = await ctx.gather(findTasksWithActivity, { tenantId: ctx.tenantId, id });
  if (!task) throw new AppError('not_found', { message: 'no such task' });
  const body = {
    ...toResource(task),
    updated_at: formatTimestamp(task.updatedAt),
    progress: {
      percent_complete: percentComplete(task),
      estimate_remaining: task.status === 'completed' ? '0h' : (task.estimateRemaining ?? '0h'),
      milestones: task.milestones,
    },
    activity: task.activity.map(toActivityEntry),
  };
  return { body, version: task.version };
}

function toActivityEntry({ kind, at, data }: ActivityRow): ActivityEntry {
  const timestamp = formatTimestamp(new Date(at));
  return kind === 'comment'
    ? { type: kind, content: data['content'] ?? '', timestamp }
    : { type: kind, from: data['from'] ?? '', to: data['to'] ?? '', timestamp };
}
