import { AppError, formatTimestamp } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { lockLeaseOf } from '../leases/lease.store.ts';
import { withdrawLease } from '../leases/withdraw-lease.ts';
import { changeTask, type TaskChange } from './task-change.ts';
import { isFinal, type Task, type TaskPriority } from './task.ts';
import { clearProgress, lockTask } from './task.store.ts';

/** What a task platform says of a task. Absent fields stay as they are. */
export type PlatformChange = {
  taskId: string;
  changes: {
    title?: string;
    description?: string;
    priority?: TaskPriority;
    dueDate?: Date | null;
    /** The whole set; the two below change the task's own. */
    tags?: string[];
    addedTags?: string[];
    removedTags?: string[];
  };
  comments?: { content: string; author: string }[];
  /** open: may be worked on; hold: waits for the platform while unclaimed; the others end the task. */
  status?: 'open' | 'hold' | 'completed' | 'cancelled';
  /** The platform's own word for the status. */
  platformStatus?: string;
};

const maxTags = 50;

/**
 * Brings a task to the state that its platform tells of and names what changed. Telling the same again changes
 * nothing; a status that the task cannot take is passed over.
 */
export async function applyPlatformChange(ctx: UseCaseContext, input: PlatformChange): Promise<{ changed: string[] }> {
  return ctx.inTransaction(async (tx) => {
    // Lease before task, as in the calls under a lease: the other way round both could wait for each other.
    if (input.status === 'completed' || input.status === 'cancelled') await lockLeaseOf(tx, input.taskId);
    const task = await lockTask(tx, input.taskId);
    if (!task) throw new AppError('not_found', { message: 'no such task' });
    const before = { ...task };
    const change = changeTask(tx, task, { at: ctx.clock.now(), actor: ctx.actor.id });
    const changed = setFields(task, input.changes);
    if (input.platformStatus !== undefined) change.note('platform_status', { status: input.platformStatus });
    for (const { content, author } of input.comments ?? []) {
      change.note('comment', { content, author });
      change.emit('task.commented', { content, author });
    }
    await moveAsTold(tx, change, input.status, ctx.actor.id, ctx.clock.now());
    if (task.status !== before.status) changed.push('status');
    if (changed.length === 0 && task.timelineSeq === before.timelineSeq && task.isHeld === before.isHeld) {
      change.letGo();
      return { changed };
    }
    emitOutcome(change, before, changed, ctx.actor.id);
    await change.save();
    return { changed };
  });
}

/** Sets what differs and names it. */
function setFields(task: Task, changes: PlatformChange['changes']): string[] {
  const changed: string[] = [];
  const { title, description, priority, dueDate } = changes;
  const tags = tagsAfter(task.tags, changes);
  if (title !== undefined && title !== task.title) changed.push('title');
  if (description !== undefined && description !== task.description) changed.push('description');
  if (priority !== undefined && priority !== task.priority) changed.push('priority');
  if (dueDate !== undefined && dueDate?.getTime() !== task.dueDate?.getTime()) changed.push('due_date');
  if (JSON.stringify(tags) !== JSON.stringify(task.tags)) changed.push('tags');
  task.title = title ?? task.title;
  task.description = description ?? task.description;
  task.priority = priority ?? task.priority;
  task.dueDate = dueDate === undefined ? task.dueDate : dueDate;
  task.tags = tags;
  return changed;
}

function tagsAfter(own: string[], { tags, addedTags = [], removedTags = [] }: PlatformChange['changes']): string[] {
  const removed = new Set(removedTags);
  return [...new Set([...(tags ?? own), ...addedTags])].filter((tag) => !removed.has(tag)).slice(0, maxTags);
}

async function moveAsTold(
  tx: Tx,
  change: TaskChange,
  status: PlatformChange['status'],
  actorId: string,
  at: Date,
): Promise<void> {
  const { task } = change;
  if (status === undefined) return;
  task.isHeld = status === 'hold' && !isFinal(task.status);
  if (status === 'open' && isFinal(task.status)) await reopen(tx, change);
  if ((status !== 'completed' && status !== 'cancelled') || isFinal(task.status)) return;
  const heldLease = task.leaseId;
  change.move(status);
  if (status === 'completed') {
    task.completedAt = at;
    task.completedBy = actorId;
  }
  if (heldLease === null || task.assignedAgent === null) return;
  const reason = status === 'completed' ? 'completed_elsewhere' : 'cancelled';
  await withdrawLease(tx, task, { id: heldLease, agentId: task.assignedAgent }, reason);
}

/** The work begins anew: nothing of what was counted or reported before stays. */
async function reopen(tx: Tx, change: TaskChange): Promise<void> {
  change.move('open');
  const { task } = change;
  task.completedAt = null;
  task.completedBy = null;
  task.lostLeases = 0;
  task.codeQuality = null;
  task.requirementsClarity = null;
  task.result = null;
  await clearProgress(tx, task.id);
}

function emitOutcome(change: TaskChange, before: Task, changed: string[], actorId: string): void {
  const { task } = change;
  if (task.status === 'completed' && before.status !== 'completed') {
    const completionTime = formatTimestamp(task.completedAt ?? task.updatedAt);
    change.emit('task.completed', { completed_by: actorId, completion_time: completionTime });
  } else if (task.status === 'cancelled' && before.status !== 'cancelled') {
    change.emit('task.cancelled', { cancelled_by: actorId });
  } else if (changed.length > 0) {
    change.emit('task.updated', { from: before.status, to: task.status, changed });
  }
}
