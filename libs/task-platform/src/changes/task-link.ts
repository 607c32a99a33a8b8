import type { PlatformStatusMeaning } from '@eas/contracts';
import { datedSet, isNotOlder } from './dated-set.ts';
import { type Assignment, assignmentOf, mergeAssignees, projectOf } from './link-assignees.ts';
import type { PlatformUser } from './platform-user.ts';
import type { Priority, ReportedTask, TaskChange } from './task-change.ts';
import { type LinkMemory, type PlatformEntry, rememberStatusType, setDetail, statusTypeOf } from './task-details.ts';

export type { LinkMemory };

export type TaskLink = LinkMemory & { integrationRef: string; externalId: string; taskId: string };

export const emptyMemory: LinkMemory = { platformStatus: null, fieldDates: {}, details: {} };

export type CommentChange = Extract<TaskChange, { field: 'comment' }>;

export type TaskPatch = {
  changes: {
    title?: string;
    description?: string;
    priority?: Priority;
    dueDate?: Date | null;
    tags?: string[];
    addedTags?: string[];
    removedTags?: string[];
  };
  comments: CommentChange[];
  entries: PlatformEntry[];
  assignment?: Assignment;
  status?: PlatformStatusMeaning;
  platformStatus?: string;
  /** How the platform had ended the task that it now takes back. */
  takesBack?: 'completed' | 'cancelled';
};

/** What an integration makes of the platform's words and users. */
export type PlatformRules = {
  meaningOf(word: string, type: string | null): PlatformStatusMeaning;
  /** The agent or role that a user stands for. */
  targetOf(user: PlatformUser): string | undefined;
  /** The agent or role that a label stands for. */
  targetOfLabel(label: string): string | undefined;
  /** The project that a list, folder or space stands for. */
  projectOfPlace(id: string): string | undefined;
};

/**
 * What reported changes do to a task. The newest of its deletion and of the dates that the platform gave decides whether
 * it lives: changes without a date cannot be shown to be newer than a deletion, and leave the task deleted.
 */
export function mergeReported(
  memory: LinkMemory,
  { changes, datedAt, deletedAt }: Pick<ReportedTask, 'changes' | 'datedAt' | 'deletedAt'>,
  rules: PlatformRules,
): { patch: TaskPatch; memory: LinkMemory } {
  const merged = mergeChanges(memory, changes, rules);
  const { patch, memory: next } = merged;
  if (deletedAt !== undefined) keepNewest(next, 'deleted', deletedAt);
  else if (datedAt !== undefined) keepNewest(next, 'alive', datedAt);

  const wasDeleted = isDeleted(memory);
  if (isDeleted(next)) {
    patch.status = wasDeleted ? undefined : 'cancelled';
  } else if (wasDeleted) {
    patch.takesBack = 'cancelled';
    patch.status = meaningIn(next, rules) ?? 'open';
  } else if (patch.status !== undefined && patch.status !== 'open') {
    const before = meaningIn(memory, rules);
    if (before !== patch.status && (before === 'completed' || before === 'cancelled')) patch.takesBack = before;
  }
  return merged;
}

function keepNewest({ fieldDates }: LinkMemory, key: 'deleted' | 'alive', at: number): void {
  fieldDates[key] = Math.max(fieldDates[key] ?? 0, at);
}

function isDeleted({ fieldDates: { deleted, alive = -1 } }: LinkMemory): boolean {
  return deleted !== undefined && deleted >= alive;
}

function meaningIn({ platformStatus: word, details }: LinkMemory, rules: PlatformRules) {
  return word === null ? undefined : rules.meaningOf(word, statusTypeOf(details, word));
}

const maxSingleDates = 200;

/**
 * Sorts out which changes count: those whose date is not older than the field's. Returns what to do and remembers the
 * dates. A status counts only when its word or what that means differs from the last one, so that a repeat never undoes
 * our own work.
 */
export function mergeChanges(
  memory: LinkMemory,
  changes: readonly TaskChange[],
  rules: PlatformRules,
): { patch: TaskPatch; memory: LinkMemory } {
  const { platformStatus, fieldDates, details } = memory;
  const next: LinkMemory = { platformStatus, fieldDates: { ...fieldDates }, details: { ...details } };
  const patch: TaskPatch = { changes: {}, comments: [], entries: [] };
  for (const change of changes) mergeOne(patch, next, change, rules);
  tagsOf(next).prune(maxSingleDates);
  if (next.platformStatus !== null) {
    const isOtherWord = next.platformStatus !== platformStatus;
    const meaning = meaningIn(next, rules);
    if (isOtherWord) patch.platformStatus = next.platformStatus;
    if (isOtherWord || meaning !== meaningIn(memory, rules)) patch.status = meaning;
  }
  const { assignees, label_targets: targets } = next.details;
  if (assignees !== details.assignees || targets !== details.label_targets)
    patch.assignment = assignmentOf(next.details);
  const project = projectOf(next.details, rules.projectOfPlace);
  if (project) patch.assignment = { ...patch.assignment, project };
  return { patch, memory: next };
}

function mergeOne(patch: TaskPatch, next: LinkMemory, change: TaskChange, rules: PlatformRules): void {
  switch (change.field) {
    case 'comment':
      return void patch.comments.push(change);
    case 'tag':
      return mergeTags(patch, next, change);
    case 'assignee':
    case 'assignees':
      return void patch.entries.push(...mergeAssignees(next, change, rules.targetOf));
    case 'labels':
      if (isNewest(next, 'labels', change.at)) next.details.label_targets = targetsOfLabels(change.value, rules);
      return;
    case 'detail':
      return mergeDetail(patch, next, change);
    case 'status':
      if (change.type !== null) rememberStatusType(next.details, change.value, change.type);
      if (isNewest(next, 'status', change.at)) next.platformStatus = change.value;
      return;
    default:
      if (isNewest(next, change.field, change.at)) mergeField(patch, next, change);
  }
}

/** In the order of the labels' names: a set has none. */
const targetsOfLabels = (labels: readonly string[], rules: PlatformRules) =>
  [...labels].sort().flatMap((label) => rules.targetOfLabel(label) ?? []);

/** Whether a change is not older than the field, which then has its date. */
function isNewest({ fieldDates }: LinkMemory, field: string, at: number): boolean {
  const isNewer = isNotOlder(fieldDates, field, at);
  if (isNewer) fieldDates[field] = at;
  return isNewer;
}

function mergeDetail(patch: TaskPatch, next: LinkMemory, { detail, at }: Extract<TaskChange, { field: 'detail' }>) {
  const field = detail.custom ? `custom_field:${detail.custom.id}` : detail.name;
  if (!isNewest(next, field, at)) return;
  const entry = setDetail(next.details, detail);
  if (entry) patch.entries.push(entry);
}

type FieldChange = Extract<TaskChange, { field: 'title' | 'description' | 'priority' | 'due_date' | 'tags' }>;

function mergeField(patch: TaskPatch, next: LinkMemory, change: FieldChange): void {
  switch (change.field) {
    case 'tags':
      return mergeTagSet(patch, next, change.value, change.at);
    case 'due_date':
      patch.changes.dueDate = change.value;
      return;
    case 'priority':
      patch.changes.priority = change.value;
      return;
    default:
      patch.changes[change.field] = change.value;
  }
}

const tagsOf = ({ fieldDates }: LinkMemory) => datedSet(fieldDates, { whole: 'tags', member: 'tag' });

/** A whole set. Single tags that came or went later than it stay so. */
function mergeTagSet(patch: TaskPatch, next: LinkMemory, tags: readonly string[], at: number): void {
  const single = tagsOf(next);
  const later = single.movedAfter(at);
  const others = tags.filter((tag) => !later.includes(tag));
  const all = [...others, ...later.filter(single.hasCome)];
  patch.changes = { ...patch.changes, tags: all, addedTags: [], removedTags: [] };
}

function mergeTags(patch: TaskPatch, next: LinkMemory, change: Extract<TaskChange, { field: 'tag' }>): void {
  const single = tagsOf(next);
  for (const tag of change.removed) if (single.move(tag, false, change.at)) moveTag(patch.changes, tag, false);
  for (const tag of change.added) if (single.move(tag, true, change.at)) moveTag(patch.changes, tag, true);
}

function moveTag(changes: TaskPatch['changes'], tag: string, isAdded: boolean): void {
  const without = (tags: readonly string[] = []) => tags.filter((other) => other !== tag);
  if (changes.tags) changes.tags = isAdded ? [...without(changes.tags), tag] : without(changes.tags);
  else {
    changes.addedTags = isAdded ? [...without(changes.addedTags), tag] : without(changes.addedTags);
    changes.removedTags = isAdded ? without(changes.removedTags) : [...without(changes.removedTags), tag];
  }
}

export function isEmptyPatch({ changes, comments, entries, assignment, status, platformStatus }: TaskPatch): boolean {
  const { addedTags = [], removedTags = [], ...fields } = changes;
  const hasField = Object.values(fields).some((value) => value !== undefined);
  const hasStatus = status !== undefined || platformStatus !== undefined || assignment !== undefined;
  const many = addedTags.length + removedTags.length + comments.length + entries.length;
  return !hasField && !hasStatus && many === 0;
}
