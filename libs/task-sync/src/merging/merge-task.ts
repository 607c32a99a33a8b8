import { isDeepStrictEqual } from 'node:util';
import { formatTimestamp } from '@eas/core';
import { applied, type Effect, ignored, type Merged } from './effects.ts';
import { mergeMentions } from './merge-object.ts';
import { mergePatch } from './merge-patch.ts';
import { separateOwnComments } from './own-comments.ts';
import { type TaskKey, taskKeyOf, tombstoneKey, unlabelledKey } from './platform-keys.ts';
import { deletionOf, linkOf, objectOf, type PlatformState, rulesOf, settingsOf } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import { type CreatedTask, isDeleted } from './new-task.ts';
import { isEmptyPatch, mergeReported, type TaskLink } from '@eas/task-platform';

type TaskReceipt = Read<'task'>;

/**
 * What the event of a task does: events come late and in any order, and merging one again changes nothing. `created`: our
 * task, if this very event has created it.
 */
export function mergeTask(state: PlatformState, read: TaskReceipt, created?: CreatedTask): Merged {
  const link = linkOf(state, taskKeyOf(read));
  const merged = created
    ? mergeRest(state, read, created)
    : link
      ? mergeLinked(state, read, link)
      : mergeUnlinked(state, read);
  return { ...merged, effects: [...mergeMentions(state, read), ...merged.effects] };
}

/** What was not set when the task was created. */
function mergeRest(state: PlatformState, read: TaskReceipt, { taskId, rest }: CreatedTask): Merged {
  const effects = rest ? [mergePatch(state, taskKeyOf(read), { taskId, ...rest })] : [];
  return applied(effects, `created ${taskId}${unknownFields(read)}`);
}

function mergeLinked(state: PlatformState, read: TaskReceipt, link: TaskLink): Merged {
  const { changes, replies } = separateOwnComments(state, read);
  const { patch, memory } = mergeReported(link, { ...read.reported, changes }, rulesOf(state, link.integrationRef));
  const { taskId } = link;
  const isEmpty = isEmptyPatch(patch);
  const effects: Effect[] = [
    ...replies.map((reply) => ({ kind: 'reply' as const, reply })),
    ...(isDeepStrictEqual(memory, memoryOf(link)) ? [] : [{ kind: 'link' as const, link: { ...link, ...memory } }]),
    ...(isEmpty ? [] : [mergePatch(state, taskKeyOf(read), { taskId, ...patch })]),
  ];
  if (isEmpty && isDeepStrictEqual(memory.details, link.details)) return ignored(effects, nothingNew(read));
  return {
    effects,
    applied(changed) {
      const outcome = changed.length > 0 ? `updated ${taskId}: ${changed.join(', ')}` : `kept ${taskId}`;
      return { status: 'applied', outcome: outcome + unknownFields(read) };
    },
  };
}

const memoryOf = ({ platformStatus, fieldDates, details }: TaskLink) => ({ platformStatus, fieldDates, details });

/** Of a task that is not ours. A deletion is kept: what is not newer creates no task any more. */
function mergeUnlinked(state: PlatformState, read: TaskReceipt): Merged {
  const key = taskKeyOf(read);
  const known = deletionOf(state, key) ?? 0;
  const { deletedAt } = read.reported;
  if (deletedAt !== undefined)
    return applied([tombstone(key, Math.max(deletedAt, known))], 'deleted before it was received');
  // It is kept for as long as this receipt can be applied again.
  if (isDeleted(state, read))
    return ignored([tombstone(key, known)], `deleted on the platform at ${formatTimestamp(new Date(known))}`);
  return ignored(mergeUnlabelled(state, read), 'no_label: no label of it stands for a role or an agent');
}

function tombstone(key: TaskKey, deletedMs: number): Effect {
  const deletedAt = new Date(deletedMs);
  const copy = { data: { is_deleted: true as const }, fieldDates: {}, updatedAt: deletedAt, deletedAt };
  return { kind: 'object', object: { ...tombstoneKey(key), ...copy } };
}

/** What is no task yet may become one by older changes: those that are newer are kept for it. */
function mergeUnlabelled(state: PlatformState, read: TaskReceipt): Effect[] {
  const key = unlabelledKey(taskKeyOf(read));
  const { datedAt = 0, changes } = read.reported;
  const isKept = Object.keys(settingsOf(state, key.integrationRef).labels).length > 0;
  if (!isKept || datedAt < (objectOf(state, key)?.updatedAt.getTime() ?? 0)) return [];
  const data = { changes: changes.filter(({ field }) => field !== 'comment') };
  return [{ kind: 'object', object: { ...key, data, fieldDates: {}, updatedAt: new Date(datedAt) } }];
}

function nothingNew({ reported: { unknown, changes } }: TaskReceipt): string {
  const isUnknown = unknown.length > 0 && changes.length === 0;
  return isUnknown ? `unknown field: ${some(unknown)}` : 'nothing newer than the stored state';
}

const unknownFields = ({ reported: { unknown } }: TaskReceipt) =>
  unknown.length === 0 ? '' : `; unknown field: ${some(unknown)}`;

const some = (names: readonly string[]) => [...new Set(names)].slice(0, 5).join(', ');
