import type { Finding, PlatformChange } from '@eas/tasks';
import type { Effect } from './effects.ts';
import { commentKeyOf, type TaskKey } from './platform-keys.ts';
import { objectOf, type PlatformState } from './platform-state.ts';
import { type CommentChange, type CommentCopy, planComments, toCommentCopy } from '@eas/task-platform';

type PatchOfTask = Omit<PlatformChange, 'comments'> & { comments: readonly (CommentChange & { finding?: Finding })[] };

/** The change of our task that a patch is, with the comments that count. */
export function mergePatch(state: PlatformState, key: TaskKey, patch: PatchOfTask): Effect<'task'> {
  const copyOf = (id: string) => {
    const object = objectOf(state, commentKeyOf(key, id));
    return object && toCommentCopy(object);
  };
  const isElsewhere = (copy: CommentCopy | undefined) => copy?.taskId !== undefined && copy.taskId !== patch.taskId;
  // What another task has stays there; a later edit of it is a comment of the task that is linked now.
  const isRepeat = ({ id, at }: CommentChange) => {
    const copy = id === null ? undefined : copyOf(id);
    return copy !== undefined && isElsewhere(copy) && at <= copy.at;
  };
  const reported = patch.comments.filter((comment) => !isRepeat(comment));
  const comments = planComments(reported, (id) => {
    const copy = copyOf(id);
    return isElsewhere(copy) ? undefined : copy;
  });
  const newIds = comments.copies.flatMap(({ id, change }) => (change && change.entry === undefined ? [id] : []));
  const found = reported.flatMap(({ id, finding }) => (finding && newIds.includes(id ?? '') ? [finding] : []));
  const findings = [...(patch.findings ?? []), ...found];
  return { kind: 'task', key, change: { ...patch, comments: comments.changes, findings }, comments };
}
