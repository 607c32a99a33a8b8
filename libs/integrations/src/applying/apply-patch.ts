import type { UseCaseContext } from '@eas/db';
import type { Finding, PlatformChange } from '@eas/tasks';
import { commentKeyOf, type PlatformBatch, type TaskKey } from './platform-batch.ts';
import {
  type CommentCopy,
  type CommentPlan,
  planComments,
  toCommentCopy,
  toObjectCopy,
} from '../platform/comment-copy.ts';
import type { CommentChange } from '../platform/task-link.ts';

type PatchOfTask = Omit<PlatformChange, 'comments'> & { comments: readonly (CommentChange & { finding?: Finding })[] };

/** Applies what a merge found, with the comments that count. Names what changed. */
export async function applyPatch(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  key: TaskKey,
  patch: PatchOfTask,
): Promise<string[]> {
  const copyOf = (id: string) => {
    const copy = batch.objectOf(commentKeyOf(key, id));
    return copy && toCommentCopy(copy);
  };
  const isElsewhere = (copy: CommentCopy | undefined) => copy?.taskId !== undefined && copy.taskId !== patch.taskId;
  // What another task has stays there; a later edit of it is a comment of the task that is linked now.
  const isRepeat = ({ id, at }: CommentChange) => {
    const copy = id === null ? undefined : copyOf(id);
    return copy !== undefined && isElsewhere(copy) && at <= copy.at;
  };
  const comments = patch.comments.filter((comment) => !isRepeat(comment));
  const plan = planComments(comments, (id) => {
    const copy = copyOf(id);
    return isElsewhere(copy) ? undefined : copy;
  });
  const newIds = plan.copies.flatMap(({ id, change }) => (change && change.entry === undefined ? [id] : []));
  const found = comments.flatMap(({ id, finding }) => (finding && newIds.includes(id ?? '') ? [finding] : []));
  const findings = [...(patch.findings ?? []), ...found];
  const done = await batch.tasks.apply(ctx, { ...patch, comments: plan.changes, findings });
  keepComments(batch, { key, taskId: patch.taskId }, plan, done.comments);
  return done.changed;
}

type Commented = { key: TaskKey; taskId: string };

/** Keeps each comment with its entry, which a new one has got just now. */
function keepComments(
  batch: PlatformBatch,
  { key, taskId }: Commented,
  plan: CommentPlan,
  entries: readonly number[],
): void {
  for (const { id, copy, change } of plan.copies) {
    const entry = change ? entries[plan.changes.indexOf(change)] : undefined;
    const kept = { ...copy, taskId, entry: entry ?? copy.entry };
    batch.setObject(commentKeyOf(key, id), toObjectCopy(kept, key.externalId));
  }
}
