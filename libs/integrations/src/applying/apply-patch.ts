import type { UseCaseContext } from '@eas/db';
import type { PlatformChange } from '@eas/tasks';
import { commentKeyOf, type PlatformBatch, type TaskKey } from './platform-batch.ts';
import { type CommentPlan, planComments, toCommentCopy, toObjectCopy } from '../platform/comment-copy.ts';
import type { TaskPatch } from '../platform/task-link.ts';

type PatchOfTask = Omit<PlatformChange, 'comments'> & Pick<TaskPatch, 'comments'>;

/** Applies what a merge found, with the comments that count. Names what changed. */
export async function applyPatch(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  key: TaskKey,
  patch: PatchOfTask,
): Promise<string[]> {
  const plan = planComments(patch.comments, (id) => {
    const copy = batch.objectOf(commentKeyOf(key, id));
    return copy && toCommentCopy(copy);
  });
  const done = await batch.tasks.apply(ctx, { ...patch, comments: plan.changes });
  keepComments(batch, key, plan, done.comments);
  return done.changed;
}

/** Keeps each comment with its entry, which a new one has got just now. */
function keepComments(batch: PlatformBatch, key: TaskKey, plan: CommentPlan, entries: readonly number[]): void {
  for (const { id, copy, change } of plan.copies) {
    const entry = change ? entries[plan.changes.indexOf(change)] : undefined;
    batch.setObject(commentKeyOf(key, id), toObjectCopy({ ...copy, entry: entry ?? copy.entry }, key.externalId));
  }
}
