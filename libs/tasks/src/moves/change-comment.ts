import { formatTimestamp } from '@eas/core';
import type { TaskChange } from './task-change.ts';

/** Gives a comment another content in its own entry; null withdraws it. A new entry tells those who have read it. */
export function changeComment(
  { task, at, addEntry, amendEntry, emit }: TaskChange,
  { entry, content }: { entry: number; content: string | null },
): void {
  const mark = { [content === null ? 'deleted_at' : 'edited_at']: formatTimestamp(at) };
  amendEntry(entry, { content: content ?? '', ...mark });
  addEntry('edit', { changed: ['comment'] });
  emit('task.updated', { from: task.status, to: task.status, changed: ['comment'] });
}
