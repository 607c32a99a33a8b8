import type { PlatformTaskEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { applyPlatformChange } from '@eas/tasks';
import type { Applied } from '../inbound/inbound-event.ts';
import { digest } from '../inbound/dedupe-key.ts';
import type { WaitingReceipt } from '../inbound/inbound-event.store.ts';
import { createPlatformTask, type MadeTask } from './create-platform-task.ts';
import type { PlatformBatch } from './platform-batch.ts';
import { insertPlatformObject } from './platform-object.store.ts';
import { readTaskChanges } from './task-change.ts';
import { isEmptyPatch, mergeChanges, type TaskLink, type TaskPatch } from './task-link.ts';

/**
 * Brings our task to what the event tells, and makes it when the platform's task is new to us: events come late and
 * in any order. Applying an event again changes nothing. `made` is the task if this very event has made it already.
 */
export async function applyTaskEvent(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  receipt: WaitingReceipt,
  made?: MadeTask,
): Promise<Applied> {
  const body = JSON.parse(receipt.body) as PlatformTaskEvent;
  const { integrationRef } = receipt;
  if (made) return finish(ctx, receipt, made);
  const link = batch.linkOf({ integrationRef, externalId: body.task_id });
  if (body.event === 'taskDeleted') return cancel(ctx, batch, link, receipt.receivedAt);
  if (!link) return finish(ctx, receipt, await createPlatformTask(ctx, batch, receipt));
  const changes = readTaskChanges(body, receipt.receivedAt);
  const { patch, memory } = mergeChanges(link, changes, (word) => batch.meaningOf(integrationRef, word));
  batch.setLink({ ...link, ...memory });
  return update(ctx, link.taskId, { ...patch, comments: await newComments(ctx, receipt, patch) });
}

/** A task that starts open and without comments is complete as it was made. */
async function finish(ctx: UseCaseContext, receipt: WaitingReceipt, { taskId, patch }: MadeTask): Promise<Applied> {
  const { status, platformStatus } = patch;
  const comments = await newComments(ctx, receipt, patch);
  if (comments.length > 0 || (status !== undefined && status !== 'open'))
    await applyPlatformChange(ctx, { taskId, changes: {}, comments, status, platformStatus });
  return { status: 'applied', outcome: `created ${taskId}` };
}

async function update(ctx: UseCaseContext, taskId: string, patch: TaskPatch): Promise<Applied> {
  if (isEmptyPatch(patch)) return { status: 'ignored', outcome: 'nothing newer than what is known' };
  const { changed } = await applyPlatformChange(ctx, { taskId, ...patch });
  return {
    status: 'applied',
    outcome: changed.length > 0 ? `updated ${taskId}: ${changed.join(', ')}` : `kept ${taskId}`,
  };
}

async function cancel(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  link: TaskLink | undefined,
  at: Date,
): Promise<Applied> {
  if (!link) return { status: 'ignored', outcome: 'no such task is known' };
  batch.setLink({ ...link, fieldDates: { ...link.fieldDates, status: at.getTime() } });
  const { changed } = await applyPlatformChange(ctx, { taskId: link.taskId, changes: {}, status: 'cancelled' });
  return { status: 'applied', outcome: changed.length > 0 ? `cancelled ${link.taskId}` : `kept ${link.taskId}` };
}

/**
 * One comment reaches us in several events, and an edited one keeps its id: each text of a comment counts once.
 * A comment without an id counts with its receipt.
 */
async function newComments(
  ctx: UseCaseContext,
  receipt: WaitingReceipt,
  patch: TaskPatch,
): Promise<TaskPatch['comments']> {
  const isNew: boolean[] = [];
  for (const { id, content, author, at } of patch.comments) {
    const { integrationRef, externalId } = receipt;
    const key = `${id ?? receipt.id}:${digest([externalId ?? '', content])}`;
    const data = { task_id: externalId, content, author };
    const copy = { integrationRef, kind: 'comment', externalId: key, data, updatedAt: new Date(at) };
    isNew.push(await insertPlatformObject(ctx, copy));
  }
  return patch.comments.filter((_, index) => isNew[index]);
}
