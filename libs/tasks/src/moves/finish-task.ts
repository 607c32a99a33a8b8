import type { Tx } from '@eas/db';
import { recordCompletions } from '../records/leases/lease.store.ts';
import { completedDetails } from '../records/tasks/completed-details.ts';
import type { TaskChange } from './task-change.ts';
import { completionOf } from '../records/tasks/task.ts';

/** The work of an agent is accepted: completes its task, which counts in its stats. */
export function finishTask(tx: Tx, change: TaskChange, agentId: string): void {
  markFinished(change, agentId);
  recordCompletions(tx, [completionOf(change.task)]);
}

export function markFinished({ task, at, move, emit }: TaskChange, agentId: string): void {
  move('completed');
  task.completedAt = at;
  task.completedBy = agentId;
  emit('task.completed', completedDetails(task));
}
