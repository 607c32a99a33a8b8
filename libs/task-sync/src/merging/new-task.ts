import type { createTask } from '@eas/tasks';
import { taskKeyOf, unlabelledKey } from './platform-keys.ts';
import { deletionOf, linkOf, objectOf, type PlatformState, rulesOf } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import { emptyMemory, isEmptyPatch, mergeReported, type TaskLink, type TaskPatch } from '@eas/task-platform';

type TaskReceipt = Read<'task'>;

/** A task to be created of the first event about it. `rest`: what is to be applied to it then, such as comments. */
export type NewTask = {
  input: Parameters<typeof createTask>[1];
  link: Omit<TaskLink, 'taskId'>;
  rest: TaskPatch | undefined;
};

export type CreatedTask = { taskId: string; rest: TaskPatch | undefined };

/** Whether the event creates our task. */
export const isNewTask = (state: PlatformState, read: TaskReceipt): boolean =>
  linkOf(state, taskKeyOf(read)) === undefined &&
  read.reported.deletedAt === undefined &&
  !isDeleted(state, read) &&
  hasLabel(state, read);

/** Whether the platform has deleted the task, and the event is not newer. */
export function isDeleted(state: PlatformState, read: TaskReceipt): boolean {
  const deletedAt = deletionOf(state, taskKeyOf(read));
  const { datedAt } = read.reported;
  return deletedAt !== undefined && (datedAt === undefined || datedAt <= deletedAt);
}

/** Some things become a task only by a label that stands for a role or an agent. */
function hasLabel(state: PlatformState, { receipt, reported: { labels } }: TaskReceipt): boolean {
  const { targetOfLabel } = rulesOf(state, receipt.integrationRef);
  return labels === undefined || labels.some((label) => targetOfLabel(label) !== undefined);
}

export function newTaskOf(state: PlatformState, read: TaskReceipt): NewTask {
  const { integrationRef, externalId } = taskKeyOf(read);
  const known = objectOf(state, unlabelledKey(taskKeyOf(read)))?.data.changes ?? [];
  const reported = { ...read.reported, changes: [...read.reported.changes, ...known] };
  const { patch, memory } = mergeReported(emptyMemory, reported, rulesOf(state, integrationRef));
  const deleted = deletionOf(state, taskKeyOf(read));
  const fieldDates = deleted === undefined ? memory.fieldDates : { ...memory.fieldDates, deleted };
  return {
    input: inputOf(read, patch),
    link: { ...memory, integrationRef, externalId, fieldDates },
    rest: restOf(patch),
  };
}

function inputOf({ externalId, reported }: TaskReceipt, { changes, assignment, status }: TaskPatch): NewTask['input'] {
  const { title, description, priority, dueDate, tags, addedTags } = changes;
  const project = assignment?.project?.to;
  return {
    title: title ?? `Task ${externalId}`,
    description: description ?? '',
    priority,
    due_date: dueDate ?? null,
    assigned_role: assignment?.role?.to ?? null,
    assigned_agent: null,
    tags: (tags ?? addedTags)?.slice(0, 50),
    metadata: { ticket_id: externalId, ...reported.metadata },
    ...(project ? { suggested_project: project } : {}),
    is_held: status === 'hold',
  };
}

/** A task that starts open, and of which nothing but fields is known, is complete as it was created. */
function restOf(patch: TaskPatch): TaskPatch | undefined {
  const { agent } = patch.assignment ?? {};
  const status = patch.status === 'open' ? undefined : patch.status;
  const rest = { ...patch, changes: {}, assignment: agent && { agent }, status };
  return isEmptyPatch({ ...rest, platformStatus: undefined }) ? undefined : rest;
}
