import type { EventData } from '@eas/contracts';
import { commentKeyOf, taskKeyOf } from './platform-keys.ts';
import { objectOf, ownCommentsOf, type PlatformState } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import { markIn } from '@eas/platform-calls';
import type { CommentChange, TaskChange } from '@eas/task-platform';

/**
 * Leaves out the comments that this service posted itself: they are known by the id that the platform gave them, or by
 * the mark in their text. `replies`: new comments of people on a task on which an agent has asked something.
 */
export function separateOwnComments(
  state: PlatformState,
  read: Read<'task'>,
): { changes: TaskChange[]; replies: EventData<'platform.replied'>[] } {
  const own = ownCommentsOf(state, taskKeyOf(read));
  if (own.length === 0) return { changes: read.reported.changes, replies: [] };
  const isOwn = ({ id, content }: CommentChange) => {
    const mark = content === null ? undefined : markIn(content);
    return own.some(({ key, result }) => key === mark || (id !== null && result?.id === id));
  };
  const changes = read.reported.changes.filter((change) => change.field !== 'comment' || !isOwn(change));
  const hasQuestion = own.some(({ kind }) => kind === 'question');
  const comments = hasQuestion ? changes.filter((change) => change.field === 'comment') : [];
  const isNew = ({ id, content, author, rank }: CommentChange) =>
    content !== null &&
    author !== 'platform' &&
    rank <= 1 &&
    id !== null &&
    !objectOf(state, commentKeyOf(taskKeyOf(read), id));
  return { changes, replies: comments.filter(isNew).map((comment) => replyOf(read, comment)) };
}

function replyOf(read: Read<'task'>, { content, author, parent, at }: CommentChange): EventData<'platform.replied'> {
  const { integrationRef, externalId } = taskKeyOf(read);
  const ids = { integration_id: integrationRef, external_id: externalId, parent_id: parent ?? null };
  return { ...ids, author, text: content ?? '', at };
}
