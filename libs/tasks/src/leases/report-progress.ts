import type { LeaseResult, ProgressBody } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import { append, type Tx, type UseCaseContext } from '@eas/db';
import type { LeaseCall } from './heartbeat-lease.ts';
import { assertHeld, leaseLost } from './lease.ts';
import { lockLease, renewLease, updateProgress } from './lease.store.ts';
import { mergeMilestones } from '../tasks/progress.ts';
import { findTask, type TaskWithProgress } from '../tasks/task.read-model.ts';
import { lockTask } from '../tasks/task.store.ts';
import { insertTimeline, type NewTimelineEntry } from '../timeline/timeline.store.ts';

/** Notes an agent's progress on its task and renews the lease. A comment becomes part of the task's activity. */
export async function reportProgress(
  ctx: UseCaseContext,
  { leaseId, leaseSeconds, body }: LeaseCall<ProgressBody>,
): Promise<LeaseResult> {
  assertDistinct(body);
  return ctx.inTransaction(async (tx) => {
    const lease = await lockLease(tx, leaseId);
    assertHeld(lease, body.fencing_token, ctx.actor);
    const locked = await lockTask(tx, lease.taskId);
    const task = await findTask(tx, lease.taskId);
    if (!locked || !task) throw leaseLost();
    await writeReport(tx, { task, timelineSeq: locked.timelineSeq, agentId: lease.agentId, at: ctx.clock.now(), body });
    const expiresAt = await renewLease(tx, { id: leaseId, fencingToken: body.fencing_token, leaseSeconds });
    if (!expiresAt) throw leaseLost();
    return { expires_at: formatTimestamp(expiresAt), directives: [] };
  });
}

type Report = { task: TaskWithProgress; timelineSeq: number; agentId: string; at: Date; body: ProgressBody };

async function writeReport(tx: Tx, { task, timelineSeq, agentId, at, body }: Report): Promise<void> {
  const { comment, fencing_token: _, ...progress } = body;
  const entries: NewTimelineEntry[] = [];
  const note = (kind: NewTimelineEntry['kind'], data: Record<string, unknown>) =>
    entries.push({ taskId: task.id, seq: timelineSeq + entries.length + 1, kind, at, actor: agentId, data });
  if (Object.keys(progress).length > 0) note('progress', progress);
  if (comment !== undefined) {
    note('comment', { content: comment });
    const data = { task_id: task.id, title: task.title, content: comment, author: agentId };
    append(tx, { type: 'task.commented', at, data, facts: null });
  }
  if (entries.length === 0) return;
  await updateProgress(tx, {
    taskId: task.id,
    percent: body.percent_complete ?? null,
    estimate: body.estimate_remaining ?? null,
    milestones: mergeMilestones(task.milestones, body.milestones ?? []),
    entries: entries.length,
  });
  await insertTimeline(tx, entries);
}

function assertDistinct({ milestones = [] }: ProgressBody): void {
  const names = milestones.map(({ name }) => name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated === -1) return;
  throw new AppError('invalid_input', {
    field: `milestones.${repeated}.name`,
    constraint: 'exists',
    message: 'a milestone is named twice',
  });
}
