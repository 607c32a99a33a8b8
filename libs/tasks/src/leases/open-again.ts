import type { TaskChange } from '../tasks/task-change.ts';

/**
 * Opens the task of a lease that ended before its work was done. Who is meant to do it is planned anew, unless a person
 * chose. `changed` names what else differs from before.
 */
export function openAgain(change: TaskChange, reason: string | undefined, changed: readonly string[] = []): void {
  const { task, move, note, emit } = change;
  const from = task.status;
  move('open', reason);
  const isUnplanned = !task.isPinned && task.assignedAgent !== null;
  if (isUnplanned) {
    task.assignedAgent = null;
    note('assignment', { assigned_agent: null, reason: 'to be planned anew' });
  }
  const fields = ['status', ...(isUnplanned ? ['assigned_agent'] : []), ...changed];
  emit('task.updated', { from, to: 'open', changed: fields });
}
