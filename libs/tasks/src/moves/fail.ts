import type { TaskChange } from './task-change.ts';

/** Ends a task as failed: status, result and event say why. Its lease has ended before. */
export function failFor({ task, move, emit }: TaskChange, reason: string): void {
  move('failed', reason);
  task.result = { reason };
  emit('task.failed', { reason });
}
