import { formatTimestamp } from '@eas/core';
import type { TaskChange } from './task-change.ts';

/**
 * Changes the content of a comment in its own entry; null withdraws it. A new entry notifies those who have read it.
 */
export function changeComment(
  { task, at, addEntry, amendEntry, emit }: TaskChange,
  { entry, content }: { entry: number; content: string | null },
): void {
  const mark = { [content === null ? 'deleted_at' : 'edited_at']: formatTimestamp(at) };
  amendEntry(entry, { content: content ?? '', ...mark });
  addEntry('edit', { changed: ['comment'] });
  emit('task.updated', { from: task.status, to: task.status, changed: ['comment'] });
}
