import type { ActivityEntry, TaskDetail } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toArtifactDetail } from './artifacts/artifact-detail.ts';
import { estimateRemaining, percentComplete } from '../records/tasks/progress.ts';
import { toResource } from '../records/tasks/task-resource.ts';
import { type ActivityRow, type DetailedTask, findTasksInDetail } from './task-detail.read-model.ts';
import { waitingOn, type WaitingTask } from './waiting-on.ts';

/** One task with progress, activity and what its agents brought, and its version; 404 when the tenant has none of that id. */
export async function getTask(ctx: UseCaseContext, id: string): Promise<{ body: TaskDetail; version: number }> {
  const task = await ctx.gather(findTasksInDetail, { tenantId: ctx.tenantId, id });
  if (!task) throw new AppError('not_found', { message: 'The task does not exist.' });
  const body = {
    ...toResource(task),
    updated_at: formatTimestamp(task.updatedAt),
    progress: progressOf(task, ctx.clock.now()),
    activity: task.activity.rows.map(toActivityEntry),
    activity_truncated: task.activity.isCut || task.hasOlderEntries,
    timeline_url: `/v1/tasks/${task.id}/timeline`,
    summary: task.summary,
    result: task.result,
    scores: scoresOf(task),
    artifacts: task.artifacts.rows.map(toArtifactDetail),
    artifacts_truncated: task.artifacts.isCut,
    waiting_on: waitingOn(toWaiting(task), ctx.clock.now()),
    rework_rounds: task.reworkRounds,
    stalled_at: task.stalledAt && formatTimestamp(task.stalledAt),
    // It grows with each claim and each end of a lease, so it names the work of one attempt.
    ...(task.status === 'in_review' ? { submission: task.fencingToken } : {}),
    ...(task.acceptance === null ? {} : { contract: task.acceptance }),
    ...(task.platform === null ? {} : { platform: task.platform }),
    ...(task.workflowRunId === null ? {} : { workflow_run_id: task.workflowRunId }),
  };
  return { body, version: task.version };
}

function progressOf(task: DetailedTask, now: Date): TaskDetail['progress'] {
  const remaining = estimateRemaining(task, now);
  return {
    percent_complete: percentComplete(task),
    estimate_remaining: remaining ?? '0h',
    estimate_remaining_hours: remaining === null ? null : Number.parseFloat(remaining),
    milestones: task.milestones,
  };
}

function scoresOf({ codeQuality, requirementsClarity }: DetailedTask): TaskDetail['scores'] {
  if (codeQuality === null && requirementsClarity === null) return null;
  return { code_quality: codeQuality, requirements_clarity: requirementsClarity };
}

function toWaiting({ lease, blockingInput, review, budget, ...task }: DetailedTask): WaitingTask {
  const moment = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...task,
    lease: lease && { expiresAt: moment(lease.expiresAt), reviveUntil: moment(lease.reviveUntil) },
    blockingInput: blockingInput && { id: blockingInput.id, expiresAt: new Date(blockingInput.expiresAt) },
    review: review && { ...review, since: new Date(review.since) },
    budget: budget && { id: budget.id, since: new Date(budget.since), endsAt: new Date(budget.endsAt) },
  };
}

function toActivityEntry({ kind, at, data }: ActivityRow): ActivityEntry {
  const timestamp = formatTimestamp(new Date(at));
  return kind === 'comment'
    ? { type: kind, content: data['content'] ?? '', timestamp }
    : { type: kind, from: data['from'] ?? '', to: data['to'] ?? '', timestamp };
}
