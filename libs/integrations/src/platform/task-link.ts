import type { PlatformStatusMeaning } from '@eas/contracts';
import type { Priority, TaskChange, TaskNews } from './task-change.ts';

export type TaskLink = {
  integrationRef: string;
  externalId: string;
  taskId: string;
  platformStatus: string | null;
  /**
   * Field → date in Unix milliseconds of the change last applied to it. "tag:name": one tag came, or went when negative.
   * `deleted`: the platform deleted the task; `alive`: the newest date that the platform gave to other news of it.
   */
  fieldDates: Record<string, number>;
};

export type LinkMemory = Pick<TaskLink, 'platformStatus' | 'fieldDates'>;

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
  comments: { id: string | null; content: string; author: string; at: number }[];
  status?: PlatformStatusMeaning;
  platformStatus?: string;
  /** How the platform had ended the task that it now takes back. */
  takesBack?: 'completed' | 'cancelled';
};

type Meaning = (word: string) => PlatformStatusMeaning;

/**
 * What news does to a task. The newest of its deletion and of the dates that the platform gave decides whether it lives:
 * news without a date cannot be shown to be newer than a deletion, and leaves the task deleted.
 */
export function mergeNews(
  memory: LinkMemory,
  { changes, datedAt, deletedAt }: TaskNews,
  meaningOf: Meaning,
): { patch: TaskPatch; memory: LinkMemory } {
  const merged = mergeChanges(memory, changes, meaningOf);
  const { patch, memory: next } = merged;
  if (deletedAt !== undefined) keepNewest(next, 'deleted', deletedAt);
  else if (datedAt !== undefined) keepNewest(next, 'alive', datedAt);

  const wasDeleted = isDeleted(memory);
  if (isDeleted(next)) {
    patch.status = wasDeleted ? undefined : 'cancelled';
  } else if (wasDeleted) {
    patch.takesBack = 'cancelled';
    patch.status = next.platformStatus === null ? 'open' : meaningOf(next.platformStatus);
  } else if (patch.status !== undefined && patch.status !== 'open' && memory.platformStatus !== null) {
    const before = meaningOf(memory.platformStatus);
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

/**
 * Sorts out which changes count: those whose date is not older than the field's. Returns what to do and remembers the
 * dates. A status word counts only when it differs from the last one, so that a repeat never undoes our own work.
 */
export function mergeChanges(
  memory: LinkMemory,
  changes: readonly TaskChange[],
  meaningOf: Meaning,
): { patch: TaskPatch; memory: LinkMemory } {
  const next: LinkMemory = { platformStatus: memory.platformStatus, fieldDates: { ...memory.fieldDates } };
  const patch: TaskPatch = { changes: {}, comments: [] };
  for (const change of changes) {
    if (change.field === 'comment') patch.comments.push(change);
    else if (change.field === 'tag') mergeTags(patch, next, change);
    else if (isNotOlder(next, change.field, change.at)) mergeField(patch, next, change, meaningOf);
  }
  prune(next);
  return { patch, memory: next };
}

function isNotOlder({ fieldDates }: LinkMemory, field: string, at: number): boolean {
  return at >= Math.abs(fieldDates[field] ?? 0);
}

type FieldChange = Exclude<TaskChange, { field: 'comment' | 'tag' }>;

function mergeField(patch: TaskPatch, next: LinkMemory, change: FieldChange, meaningOf: Meaning): void {
  next.fieldDates[change.field] = change.at;
  switch (change.field) {
    case 'status':
      if (change.value === next.platformStatus) return;
      next.platformStatus = change.value;
      patch.platformStatus = change.value;
      patch.status = meaningOf(change.value);
      return;
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

/** A whole set. Single tags that came or went later than it stay so. */
function mergeTagSet(patch: TaskPatch, next: LinkMemory, tags: readonly string[], at: number): void {
  const later = tagKeys(next).filter((key) => Math.abs(next.fieldDates[key] ?? 0) > at);
  const cameLater = later.filter((key) => (next.fieldDates[key] ?? 0) > 0).map(tagOfKey);
  const others = tags.filter((tag) => !later.includes(keyOfTag(tag)));
  patch.changes = { ...patch.changes, tags: [...others, ...cameLater], addedTags: [], removedTags: [] };
}

function mergeTags(patch: TaskPatch, next: LinkMemory, change: Extract<TaskChange, { field: 'tag' }>): void {
  const { added, removed, at } = change;
  const counts = (tag: string) => isNotOlder(next, 'tags', at) && isNotOlder(next, keyOfTag(tag), at);
  for (const tag of removed.filter(counts)) {
    next.fieldDates[keyOfTag(tag)] = -at;
    moveTag(patch.changes, tag, false);
  }
  for (const tag of added.filter(counts)) {
    next.fieldDates[keyOfTag(tag)] = at;
    moveTag(patch.changes, tag, true);
  }
}

function moveTag(changes: TaskPatch['changes'], tag: string, isAdded: boolean): void {
  const without = (tags: readonly string[] = []) => tags.filter((other) => other !== tag);
  if (changes.tags) changes.tags = isAdded ? [...without(changes.tags), tag] : without(changes.tags);
  else {
    changes.addedTags = isAdded ? [...without(changes.addedTags), tag] : without(changes.addedTags);
    changes.removedTags = isAdded ? without(changes.removedTags) : [...without(changes.removedTags), tag];
  }
}

const keyOfTag = (tag: string) => `tag:${tag}`;
const tagOfKey = (key: string) => key.slice('tag:'.length);
const tagKeys = ({ fieldDates }: LinkMemory) => Object.keys(fieldDates).filter((key) => key.startsWith('tag:'));

const maxTagDates = 200;

/** Dates of single tags are few, or forgotten oldest first. */
function prune(memory: LinkMemory): void {
  const keys = tagKeys(memory);
  if (keys.length <= maxTagDates) return;
  const dateOf = (key: string) => Math.abs(memory.fieldDates[key] ?? 0);
  keys.sort((a, b) => dateOf(a) - dateOf(b));
  for (const key of keys.slice(0, keys.length - maxTagDates)) delete memory.fieldDates[key];
}

export function isEmptyPatch({ changes, comments, status, platformStatus }: TaskPatch): boolean {
  const { addedTags = [], removedTags = [], ...fields } = changes;
  const hasField = Object.values(fields).some((value) => value !== undefined);
  const hasStatus = status !== undefined || platformStatus !== undefined;
  return !hasField && !hasStatus && addedTags.length + removedTags.length + comments.length === 0;
}

const builtInMeanings: Record<string, PlatformStatusMeaning> = {
  'to do': 'open',
  todo: 'open',
  open: 'open',
  complete: 'completed',
  completed: 'completed',
  closed: 'completed',
  done: 'completed',
};

/** What a status word means: the integration's own table first; words in neither table wait for the platform. */
export function statusMeaning(map: Record<string, PlatformStatusMeaning>, word: string): PlatformStatusMeaning {
  const lower = word.toLowerCase();
  if (Object.hasOwn(map, lower)) return map[lower] ?? 'hold';
  return Object.hasOwn(builtInMeanings, lower) ? (builtInMeanings[lower] ?? 'hold') : 'hold';
}
