import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { applyPlatformChange } from '@eas/tasks';
import type { Applied } from '../inbound/inbound-event.ts';
import { digest } from '../inbound/dedupe-key.ts';
import type { ReadReceipt } from './read-receipt.ts';
import { createPlatformTask, type MadeTask } from './create-platform-task.ts';
import { type PlatformBatch, taskKeyOf } from './platform-batch.ts';
import { addPlatformObjects } from '../platform/platform-object.store.ts';
import { isEmptyPatch, mergeNews, type TaskLink, type TaskPatch } from '../platform/task-link.ts';

type TaskReceipt = Extract<ReadReceipt, { kind: 'task' }>;

/**
 * Brings our task to what the event reports, and makes it when the platform's task is new to us: events come late and
 * in any order. Applying an event again changes nothing. `made` is the task if this very event has made it already.
 */
export async function applyTaskEvent(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: TaskReceipt,
  made?: MadeTask,
): Promise<Applied> {
  if (made) return finish(ctx, read, made);
  const link = batch.linkOf(taskKeyOf(read));
  return link ? update(ctx, batch, read, link) : meet(ctx, batch, read);
}

/** News of a task that we do not know. A deletion is kept: what is not newer makes no task any more. */
async function meet(ctx: UseCaseContext, batch: PlatformBatch, read: TaskReceipt): Promise<Applied> {
  const key = taskKeyOf(read);
  const { datedAt, deletedAt } = read.news;
  const tombstone = batch.tombstoneOf(key);
  if (deletedAt !== undefined) {
    batch.setTombstone(key, Math.max(deletedAt, tombstone ?? 0));
    return { status: 'applied', outcome: 'deleted before it was received' };
  }
  if (tombstone !== undefined && !(datedAt !== undefined && datedAt > tombstone))
    return { status: 'ignored', outcome: `deleted on the platform at ${formatTimestamp(new Date(tombstone))}` };
  return finish(ctx, read, await createPlatformTask(ctx, batch, read));
}

/** A task that starts open and without comments is complete as it was made. */
async function finish(ctx: UseCaseContext, read: TaskReceipt, { taskId, patch }: MadeTask): Promise<Applied> {
  const { status, platformStatus } = patch;
  const comments = await newComments(ctx, read, patch);
  if (comments.length > 0 || (status !== undefined && status !== 'open'))
    await applyPlatformChange(ctx, { taskId, changes: {}, comments, status, platformStatus });
  return { status: 'applied', outcome: `created ${taskId}` };
}

async function update(ctx: UseCaseContext, batch: PlatformBatch, read: TaskReceipt, link: TaskLink): Promise<Applied> {
  const { patch, memory } = mergeNews(link, read.news, (word) => batch.meaningOf(link.integrationRef, word));
  batch.setLink({ ...link, ...memory });
  const { taskId } = link;
  const comments = await newComments(ctx, read, patch);
  if (isEmptyPatch({ ...patch, comments }))
    return { status: 'ignored', outcome: 'nothing newer than the stored state' };
  const { changed } = await applyPlatformChange(ctx, { taskId, ...patch, comments });
  const outcome = changed.length > 0 ? `updated ${taskId}: ${changed.join(', ')}` : `kept ${taskId}`;
  return { status: 'applied', outcome };
}

/**
 * One comment reaches us in several events, and an edited one keeps its id: each text of a comment counts once.
 * A comment without an id counts with its receipt.
 */
async function newComments(
  ctx: UseCaseContext,
  { receipt, externalId }: TaskReceipt,
  { comments }: TaskPatch,
): Promise<TaskPatch['comments']> {
  const keyed = comments.map((comment) => ({
    comment,
    key: `${comment.id ?? receipt.id}:${digest([externalId, comment.content])}`,
  }));
  const copies = keyed.map(({ comment: { content, author, at }, key }) => ({
    integrationRef: receipt.integrationRef,
    kind: 'comment',
    externalId: key,
    data: { task_id: externalId, content, author },
    fieldDates: {},
    updatedAt: new Date(at),
  }));
  const added = await addPlatformObjects(ctx, copies);
  // A comment that stands twice in one receipt was added once.
  return keyed.flatMap(({ comment, key }) => (added.delete(key) ? [comment] : []));
}
