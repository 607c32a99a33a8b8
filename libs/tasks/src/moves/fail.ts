import type { TaskChange } from './task-change.ts';

/** Ends a task as failed, with the reason in status, result and event. Its lease has already ended. */
export function failFor({ task, move, emit }: TaskChange, reason: string): void {
  move('failed', reason);
  task.result = { reason };
  emit('task.failed', { reason });
}
