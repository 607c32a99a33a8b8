import { append, type Tx } from '@eas/db';
import { taskFacts } from '../tasks/task.ts';
import type { StartedTask } from './claim.store.ts';

/** Tells of a task that an agent has started. */
export function tellStarted(tx: Tx, task: StartedTask): void {
  append(tx, {
    type: 'task.started',
    at: task.updatedAt,
    data: { task_id: task.id, title: task.title, assigned_agent: task.assignedAgent ?? '' },
    facts: taskFacts(task),
  });
  tx.notify('stream', task.id);
}
