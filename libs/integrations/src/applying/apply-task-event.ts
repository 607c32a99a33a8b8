import { isDeepStrictEqual } from 'node:util';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { Applied } from '../inbound/inbound-event.ts';
import { createPlatformTask, type MadeTask, makesTask } from './create-platform-task.ts';
import { applyPatch } from './apply-patch.ts';
import { type PlatformBatch, taskKeyOf, unlabelledKey } from './platform-batch.ts';
import type { Read } from './read-receipt.ts';
import { splitComments } from './own-comments.ts';
import { mergeObject } from '../platform/platform-object.ts';
import { isEmptyPatch, mergeReported, type TaskLink } from '../platform/task-link.ts';

type TaskReceipt = Read<'task'>;

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
  keepMentions(batch, read);
  if (made) return finish(ctx, batch, read, made);
  const link = batch.linkOf(taskKeyOf(read));
  return link ? update(ctx, batch, read, link) : meet(ctx, batch, read);
}

/** Names of lists, folders and spaces that the event tells in passing. */
function keepMentions(batch: PlatformBatch, { receipt: { integrationRef }, reported }: TaskReceipt): void {
  for (const { kind, id, name, at } of reported.mentions) {
    const key = { integrationRef, kind, externalId: id };
    const { copy, tooLarge } = mergeObject(batch.objectOf(key), [{ name: 'name', value: name, at }]);
    if (tooLarge === undefined) batch.setObject(key, copy);
  }
}

/** Changes of a task that we do not know. A deletion is kept: what is not newer makes no task any more. */
async function meet(ctx: UseCaseContext, batch: PlatformBatch, read: TaskReceipt): Promise<Applied> {
  const key = taskKeyOf(read);
  const { datedAt, deletedAt } = read.reported;
  const tombstone = batch.tombstoneOf(key);
  if (deletedAt !== undefined) {
    batch.setTombstone(key, Math.max(deletedAt, tombstone ?? 0));
    return { status: 'applied', outcome: 'deleted before it was received' };
  }
  if (tombstone !== undefined && !(datedAt !== undefined && datedAt > tombstone)) {
    // It is kept for as long as this receipt can be applied again.
    batch.setTombstone(key, tombstone);
    return { status: 'ignored', outcome: `deleted on the platform at ${formatTimestamp(new Date(tombstone))}` };
  }
  if (!makesTask(batch, read)) return keepUnlabelled(batch, read);
  return finish(ctx, batch, read, await createPlatformTask(ctx, batch, read));
}

/** What is no task yet may become one by older changes: those that are newer are kept for it. */
function keepUnlabelled(batch: PlatformBatch, read: TaskReceipt): Applied {
  const key = unlabelledKey(taskKeyOf(read));
  const { datedAt = 0, changes } = read.reported;
  const isKept = Object.keys(batch.settingsOf(key.integrationRef).labels).length > 0;
  if (isKept && datedAt >= (batch.objectOf(key)?.updatedAt.getTime() ?? 0)) {
    const reported = changes.filter(({ field }) => field !== 'comment');
    batch.setObject(key, { data: { changes: reported }, fieldDates: {}, updatedAt: new Date(datedAt) });
  }
  return { status: 'ignored', outcome: 'no_label: no label of it stands for a role or an agent' };
}

async function finish(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: TaskReceipt,
  { taskId, left }: MadeTask,
): Promise<Applied> {
  if (left) await applyPatch(ctx, batch, taskKeyOf(read), { taskId, ...left });
  return { status: 'applied', outcome: `created ${taskId}${unknownFields(read)}` };
}

async function update(ctx: UseCaseContext, batch: PlatformBatch, read: TaskReceipt, link: TaskLink): Promise<Applied> {
  const { changes, replies } = splitComments(batch, read);
  for (const reply of replies) batch.reportReply(reply, ctx.clock.now());
  const { patch, memory } = mergeReported(link, { ...read.reported, changes }, batch.rulesOf(link.integrationRef));
  const { taskId } = link;
  const isKept = !isDeepStrictEqual(memory.details, link.details);
  if (!isDeepStrictEqual(memory, memoryOf(link))) batch.setLink({ ...link, ...memory });
  if (isEmptyPatch(patch) && !isKept) return nothingNew(read);
  const changed = isEmptyPatch(patch) ? [] : await applyPatch(ctx, batch, taskKeyOf(read), { taskId, ...patch });
  const outcome = changed.length > 0 ? `updated ${taskId}: ${changed.join(', ')}` : `kept ${taskId}`;
  return { status: 'applied', outcome: outcome + unknownFields(read) };
}

const memoryOf = ({ platformStatus, fieldDates, details }: TaskLink) => ({ platformStatus, fieldDates, details });

function nothingNew({ reported: { unknown, changes } }: TaskReceipt): Applied {
  const isUnknown = unknown.length > 0 && changes.length === 0;
  return {
    status: 'ignored',
    outcome: isUnknown ? `unknown field: ${some(unknown)}` : 'nothing newer than the stored state',
  };
}

const unknownFields = ({ reported: { unknown } }: TaskReceipt) =>
  unknown.length === 0 ? '' : `; unknown field: ${some(unknown)}`;

const some = (names: readonly string[]) => [...new Set(names)].slice(0, 5).join(', ');
