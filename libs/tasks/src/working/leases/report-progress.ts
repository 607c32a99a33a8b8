import type { LeaseResult, ProgressBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { addComment } from '../../moves/add-comment.ts';
import { mergeMilestones } from '../../records/tasks/progress.ts';
import type { TaskChange } from '../../moves/task-change.ts';
import type { LeaseCall } from './lease-work.ts';
import { underLease } from './under-lease.ts';

const maxMilestones = 100;

/** Records an agent's progress on its task and renews the lease. A comment becomes part of the task's activity. */
export async function reportProgress(ctx: UseCaseContext, call: LeaseCall<ProgressBody>): Promise<LeaseResult> {
  assertDistinct(call.body);
  return underLease(ctx, call, async ({ change }) => {
    recordReport(change, call.body, ctx.limits);
    return {};
  });
}

function recordReport(
  change: TaskChange,
  { comment, fencing_token: _, ...progress }: ProgressBody,
  limits: UseCaseContext['limits'],
): void {
  const { task, addEntry } = change;
  if (Object.keys(progress).length > 0) addEntry('progress', progress);
  task.percentComplete = progress.percent_complete ?? task.percentComplete;
  task.estimateRemaining = progress.estimate_remaining ?? task.estimateRemaining;
  task.milestones = mergeMilestones(task.milestones, progress.milestones ?? []);
  if (task.milestones.length > maxMilestones) throw tooMany();
  if (comment !== undefined) addComment(change, { content: comment }, limits);
}

function tooMany(): AppError {
  const message = `milestones must be at most ${maxMilestones} in total, including the existing ones of the task.`;
  return new AppError('invalid_input', { field: 'milestones', constraint: 'max_length', message });
}

function assertDistinct({ milestones = [] }: ProgressBody): void {
  const names = milestones.map(({ name }) => name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated === -1) return;
  throw new AppError('invalid_input', {
    field: `milestones.${repeated}.name`,
    constraint: 'exists',
    message: 'milestones must have different names.',
  });
}
