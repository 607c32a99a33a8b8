import type { Tx } from '@eas/db';
import { setAlarm } from '../records/tasks/task-alarm.store.ts';
import type { TaskChange } from './task-change.ts';

/** Planned again, unless a person chose or the task `keepsAgent`. `changed` names what else differs from before. */
export function openAgain(
  change: TaskChange,
  reason: string | undefined,
  { changed = [], keepsAgent = change.task.isPinned }: { changed?: readonly string[]; keepsAgent?: boolean } = {},
): void {
  const { task, move, addEntry, emit } = change;
  const from = task.status;
  move('open', reason);
  const isUnplanned = !keepsAgent && task.assignedAgent !== null;
  if (isUnplanned) {
    task.assignedAgent = null;
    task.isPinned = false;
    addEntry('assignment', { assigned_agent: null, reason: 'to be planned again' });
  }
  const fields = ['status', ...(isUnplanned ? ['assigned_agent'] : []), ...changed];
  emit('task.updated', { from, to: 'open', changed: fields });
}

/** The open task of a change may not be claimed for a while; 0: at once. */
export async function openNotBefore(tx: Tx, { task, at }: TaskChange, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  task.notBefore = new Date(at.getTime() + waitMs);
  await setAlarm(tx, task.id, task.notBefore);
}

/** How long an agent that gave a task back cannot claim it. */
const restMs = 30_000;

/**
 * Offers the open task of a change to other agents first: the agent that gave it back may not claim it for a while,
 * then comes last.
 */
export async function yieldTask(tx: Tx, { task, at }: TaskChange, agentId: string): Promise<void> {
  task.lostBy = agentId;
  task.restsUntil = new Date(at.getTime() + restMs);
  await setAlarm(tx, task.id, task.restsUntil);
}
