import { formatTimestamp } from '@eas/core';
import type { Tx } from '@eas/db';
import { updateComment } from '../records/timeline/timeline.store.ts';
import type { TaskChange } from './task-change.ts';

/** Gives a comment another content in its own entry; null withdraws it. A new entry tells those who have read it. */
export function changeComment(
  tx: Tx,
  { task, at, addEntry, emit }: TaskChange,
  { entry, content }: { entry: number; content: string | null },
): void {
  const mark = { [content === null ? 'deleted_at' : 'edited_at']: formatTimestamp(at) };
  updateComment(tx, { taskId: task.id, seq: entry }, { content: content ?? '', ...mark });
  addEntry('edit', { changed: ['comment'] });
  emit('task.updated', { from: task.status, to: task.status, changed: ['comment'] });
}
