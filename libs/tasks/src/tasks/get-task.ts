import type { ActivityEntry, TaskDetail } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { estimateRemaining, percentComplete } from './progress.ts';
import { toResource } from './task-resource.ts';
import { type ActivityRow, findTasksWithActivity, type TaskWithActivity } from './task.read-model.ts';
import { waitingOn, type WaitingTask } from './waiting-on.ts';

/** One task with progress and activity, and its version; 404 when the tenant has none of that id. */
export async function getTask(ctx: UseCaseContext, id: string): Promise<{ body: TaskDetail; version: number }> {
  const task = await ctx.gather(findTasksWithActivity, { tenantId: ctx.tenantId, id });
  if (!task) throw new AppError('not_found', { message: 'no such task' });
  const body = {
    ...toResource(task),
    updated_at: formatTimestamp(task.updatedAt),
    progress: {
      percent_complete: percentComplete(task),
      estimate_remaining: estimateRemaining(task, ctx.clock.now()),
      milestones: task.milestones,
    },
    activity: task.activity.map(toActivityEntry),
    waiting_on: waitingOn(toWaiting(task), ctx.clock.now()),
    stalled_at: task.stalledAt && formatTimestamp(task.stalledAt),
    ...(task.contract === null ? {} : { contract: task.contract }),
    ...(task.workflowRunId === null ? {} : { workflow_run_id: task.workflowRunId }),
  };
  return { body, version: task.version };
}

function toWaiting({ activity, createdAt, lease, blockingInput, ...task }: TaskWithActivity): WaitingTask {
  const lastMove = activity.findLast(({ kind }) => kind === 'status_change');
  const moment = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...task,
    since: lastMove ? new Date(lastMove.at) : createdAt,
    lease: lease && { expiresAt: moment(lease.expiresAt), reviveUntil: moment(lease.reviveUntil) },
    blockingInput: blockingInput && { id: blockingInput.id, expiresAt: new Date(blockingInput.expiresAt) },
  };
}

function toActivityEntry({ kind, at, data }: ActivityRow): ActivityEntry {
  const timestamp = formatTimestamp(new Date(at));
  return kind === 'comment'
    ? { type: kind, content: data['content'] ?? '', timestamp }
    : { type: kind, from: data['from'] ?? '', to: data['to'] ?? '', timestamp };
}
