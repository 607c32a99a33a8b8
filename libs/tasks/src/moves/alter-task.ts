import { AppError, assertVersion } from '@eas/core';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { lockLeasesOn } from '../records/leases/lease.store.ts';
import { lockReviewsOf } from './cancel-review.ts';
import { completedDetails } from '../records/tasks/completed-details.ts';
import { startChange, type TaskChange } from './task-change.ts';
import type { Task } from '../records/tasks/task.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { changedFields } from '../records/tasks/task-fields.ts';

export type Alteration = {
  taskId: string;
  /** The change may end a live lease. */
  endsLease?: boolean;
  /** Versions of the task that the caller wants to change; undefined: any. */
  ifMatch?: readonly number[];
};

/**
 * A change of a task by a person or a platform, not by the agent under its lease. `alter` changes the locked task;
 * differences are saved and published, and nothing is written without any. Returns the names of the fields that
 * changed, and what `alter` returned. Throws 404 and 412.
 */
export async function alterTask<T>(
  ctx: UseCaseContext,
  { taskId, endsLease, ifMatch }: Alteration,
  alter: (tx: Tx, change: TaskChange) => Promise<T>,
): Promise<{ changed: string[]; result: T }> {
  return ctx.inTransaction(async (tx) => {
    // Locks the lease before the task, as the calls under a lease do: the opposite order could deadlock.
    if (endsLease) await lockLeasesOfTasks(tx, [taskId]);
    const task = await lockTask(tx, taskId);
    if (!task) throw noTask();
    assertVersion(task.version, ifMatch);
    const { change, isAltered, ...altered } = await alterLocked(tx, task, contextInTransaction(ctx, tx), alter);
    if (isAltered) change.save();
    return altered;
  });
}

/** Locks live leases of tasks, their reviews and the leases on these: before the tasks, if the change may end them. */
export async function lockLeasesOfTasks(tx: Tx, taskIds: readonly string[]): Promise<void> {
  await lockLeasesOn(tx, taskIds);
  await lockReviewsOf(tx, taskIds);
}

export const noTask = () => new AppError('not_found', { message: 'The task does not exist.' });

type Altered<T> = { changed: string[]; result: T; isAltered: boolean; change: TaskChange };

/** One change of a locked task, published. Not `isAltered`: the task was released, and nothing needs to be saved. */
export async function alterLocked<T>(
  tx: Tx,
  task: Task,
  { clock, actor }: Pick<UseCaseContext, 'clock' | 'actor'>,
  alter: (tx: Tx, change: TaskChange) => Promise<T>,
): Promise<Altered<T>> {
  const before = { ...task };
  const change = startChange(tx, task, { at: clock.now(), actor: actor.id });
  const result = await alter(tx, change);
  return { ...publishAltered(change, before), change, result };
}

/** Saves a change and publishes the differences; releases the task if there are none. Returns what changed. */
export async function saveAltered(change: TaskChange, before: Task): Promise<string[]> {
  const { changed, isAltered } = publishAltered(change, before);
  if (isAltered) change.save();
  return changed;
}

function publishAltered(change: TaskChange, before: Task): { changed: string[]; isAltered: boolean } {
  const changed = changedFields(before, change.task);
  if (changed.length > 0) publish(change, before, changed);
  const isAltered = !isSame(before, change.task);
  if (!isAltered) change.release();
  return { changed, isAltered };
}

/** A change may consist only of a timeline entry or a platform's hold. */
function isSame(before: Task, { timelineSeq, isHeld }: Task): boolean {
  return before.timelineSeq === timelineSeq && before.isHeld === isHeld;
}

function publish(change: TaskChange, before: Task, changed: string[]): void {
  const { task } = change;
  const edited = changed.filter((field) => field !== 'status' && field !== 'assigned_agent');
  if (edited.length > 0) change.addEntry('edit', { changed: edited });
  if (changed.includes('assigned_agent')) publishAgent(change);
  const movedTo = changed.includes('status') ? task.status : undefined;
  // `failFor` has reported it.
  if (movedTo === 'failed') return;
  if (movedTo === 'completed') change.emit('task.completed', completedDetails(task));
  else if (movedTo === 'cancelled') change.emit('task.cancelled', { cancelled_by: change.actor });
  else change.emit('task.updated', { from: before.status, to: task.status, changed });
}

function publishAgent({ task: { assignedAgent, assignedRole }, addEntry, emit }: TaskChange): void {
  const reason = assignedAgent === null ? 'to be planned again' : 'assigned by request';
  addEntry('assignment', { assigned_agent: assignedAgent, reason });
  if (assignedAgent === null) return;
  emit('task.assigned', { assigned_agent: assignedAgent, assigned_role: assignedRole, reason });
}
