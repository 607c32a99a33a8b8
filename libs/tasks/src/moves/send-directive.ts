import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import type { TaskChange } from './task-change.ts';
import type { NewDirective } from '../records/directives/directive.ts';
import { insertDirective } from '../records/directives/directive.store.ts';

/**
 * Sends a message to the agent that works on the task of the change, and wakes its waiting call; the caller saves the
 * change.
 */
export async function sendDirective(
  tx: Tx,
  { task, at }: Pick<TaskChange, 'task' | 'at'>,
  { kind, leaseId = undefined, data }: NewDirective,
): Promise<void> {
  task.directiveSeq += 1;
  const row = { id: newId('directive'), taskId: task.id, seq: task.directiveSeq, kind, data, createdAt: at };
  await insertDirective(tx, { ...row, leaseId: leaseId ?? null });
  tx.notify('stream', task.id);
}
