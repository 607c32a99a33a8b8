import type { PlatformHistoryItem, PlatformTaskEvent, taskPriorities } from '@eas/contracts';
import { createPauses } from '@eas/core';
import { type PlatformComment, readComment } from './platform-comment.ts';
import { type PlatformUser, readUsers } from './platform-user.ts';
import { detailsOfBody, detailsOfItem, listOfItem, type Mention, mentionsOfItem } from './read-details.ts';
import type { DetailChange } from './task-details.ts';
import { newestDate, readDueDate, readMillis, readPriority, readStatus, readTags, readText } from './platform-value.ts';

export type Priority = (typeof taskPriorities)[number];

/** One change that an event reports, with its date in Unix milliseconds. */
export type TaskChange = { at: number } & (
  | { field: 'title' | 'description'; value: string }
  | { field: 'priority'; value: Priority }
  | { field: 'due_date'; value: Date | null }
  | { field: 'tags'; value: string[] }
  | { field: 'tag'; added: string[]; removed: string[] }
  | { field: 'status'; value: string; type: string | null }
  | ({ field: 'comment' } & PlatformComment)
  | { field: 'assignees'; value: PlatformUser[] }
  | { field: 'labels'; value: string[] }
  | { field: 'assignee'; added: PlatformUser[]; removed: PlatformUser[] }
  | { field: 'detail'; detail: DetailChange }
);

export type ReportedTask = {
  /** Set where a thing becomes a task only by one of its labels. */
  labels?: string[];
  /** For the metadata of the task that it becomes. */
  metadata?: Record<string, string>;
  /** In the order in which they count: the event's data, then its history by date. */
  changes: TaskChange[];
  /** Newest date that the platform gave, in Unix milliseconds; undefined: the receipt alone dates it. */
  datedAt: number | undefined;
  /** Set when the event is the task's deletion. */
  deletedAt: number | undefined;
  /** Names of fields that are only kept with the body. */
  unknown: string[];
  /** Lists, folders and spaces by the names that the event gives them. */
  mentions: (Mention & { at: number })[];
};

/** Date of a creation that says none: older than any update, whenever either of them arrives. */
export const undatedCreation = 0;

/** Reads a task event; others have the event loop in between. */
export async function readReportedTask(body: PlatformTaskEvent, receivedAt: Date): Promise<ReportedTask> {
  const received = receivedAt.getTime();
  const items = body.history_items ?? [];
  const datedAt = newestDate(items);
  const nothing = { changes: [], unknown: [], mentions: [] };
  if (body.event === 'taskDeleted') return { ...nothing, datedAt, deletedAt: datedAt ?? received };
  const undated = body.event === 'taskCreated' ? undatedCreation : received;
  const dates = items.map((item) => readMillis(item.date) ?? received);
  const dataAt = dates.reduce((newest, at) => Math.max(newest, at), items.length === 0 ? undated : 0);
  const reported: ReportedTask = {
    changes: changesOfBody(body, dataAt),
    datedAt,
    deletedAt: undefined,
    unknown: [],
    mentions: [],
  };
  const ofHistory: TaskChange[] = [];
  const pause = createPauses();
  for (const [index, item] of items.entries()) {
    const at = dates[index] ?? received;
    const changes = changesOfItem(item, body.event, at);
    if (changes) ofHistory.push(...listOfItem(item).map(asChange(at)), ...changes);
    else reported.unknown.push(fieldName(item));
    reported.mentions.push(...mentionsOfItem(item).map((mention) => ({ ...mention, at })));
    await pause();
  }
  reported.changes.push(...ofHistory.sort((a, b) => a.at - b.at));
  return reported;
}

const fieldName = ({ field }: PlatformHistoryItem) =>
  typeof field === 'string' ? field.slice(0, 64).toWellFormed() : '';

const asChange =
  (at: number) =>
  (detail: DetailChange): TaskChange => ({ field: 'detail', detail, at });

function changesOfBody(body: PlatformTaskEvent, at: number): TaskChange[] {
  const details = detailsOfBody(body).map(asChange(at));
  const { data } = body;
  if (!data) return details;
  const { assignees } = data as { assignees?: unknown };
  const changes: (TaskChange | undefined)[] = [
    title(data.name, at),
    typeof data.description === 'string' && isOwnDescription(data)
      ? { field: 'description', value: readText(data.description), at }
      : undefined,
    status(data.status, at),
    typeof data.priority === 'number' ? priority(data.priority, at) : undefined,
    data.due_date === undefined ? undefined : dueDate(data.due_date, at),
    Array.isArray(data.tags) ? { field: 'tags', value: readTags(data.tags), at } : undefined,
    Array.isArray(assignees) ? { field: 'assignees', value: readUsers(assignees), at } : undefined,
  ];
  return [...changes.filter((change) => change !== undefined), ...details];
}

/** Time tracking sends a `description` of the interval. */
const isOwnDescription = (data: object) => !('interval_id' in data);

/** Undefined: a field that is not known. */
function changesOfItem(item: PlatformHistoryItem, event: string, at: number): TaskChange[] | undefined {
  const read = typeof item.field === 'string' && Object.hasOwn(fieldReaders, item.field) && fieldReaders[item.field];
  if (!read) return detailsOfItem(item)?.map(asChange(at));
  const change = read(item, at, event);
  return change ? [change] : [];
}

type FieldReader = (item: PlatformHistoryItem, at: number, event: string) => TaskChange | undefined;

const readTitle: FieldReader = ({ after }, at) => title(after, at);
const readDescription: FieldReader = ({ after }, at) =>
  after === undefined ? undefined : { field: 'description', value: readText(after), at };
const readCommentChange: FieldReader = (item, at, event) => {
  const comment = readComment(item, event);
  return comment && { field: 'comment', ...comment, at };
};

const fieldReaders: Record<string, FieldReader> = {
  name: readTitle,
  title: readTitle,
  content: readDescription,
  description: readDescription,
  priority: ({ after }, at) => (after === undefined ? undefined : priority(after, at)),
  due_date: ({ after }, at) => (after === undefined ? undefined : dueDate(after, at)),
  tag: tags,
  tags,
  tag_removed: tags,
  status: (item, at) => status(item.after, at, (item as { data?: unknown }).data),
  comment: readCommentChange,
  comment_deleted: readCommentChange,
  comment_removed: readCommentChange,
  assignee_add: ({ after }, at) => assignees(readUsers(after), [], at),
  assignee_rem: ({ before, after }, at) => assignees([], readUsers(before ?? after), at),
  assignees: assigneeLists,
  // Says that the task was made, and nothing else.
  task_creation: () => undefined,
};

function assignees(added: PlatformUser[], removed: PlatformUser[], at: number): TaskChange | undefined {
  return added.length + removed.length === 0 ? undefined : { field: 'assignee', added, removed, at };
}

/** `after` as a list is the whole set; else it says who came and who went. */
function assigneeLists({ before, after, added, removed }: PlatformHistoryItem, at: number): TaskChange | undefined {
  if (Array.isArray(after)) return { field: 'assignees', value: readUsers(after), at };
  const came = [...readUsers(added), ...readUsers(after)];
  const went = [...readUsers(removed), ...readUsers(before)].filter(
    ({ key }) => !came.some((user) => user.key === key),
  );
  return assignees(came, went, at);
}

function title(value: unknown, at: number): TaskChange | undefined {
  const text = readText(value).trim();
  return text === '' ? undefined : { field: 'title', value: text.slice(0, 500).toWellFormed(), at };
}

function priority(value: unknown, at: number): TaskChange | undefined {
  const read = readPriority(value);
  return read && { field: 'priority', value: read, at };
}

function dueDate(value: unknown, at: number): TaskChange | undefined {
  const read = readDueDate(value);
  return read === undefined ? undefined : { field: 'due_date', value: read, at };
}

function status(value: unknown, at: number, data?: unknown): TaskChange | undefined {
  const read = readStatus(value, data);
  return read && { field: 'status', value: read.word, type: read.type, at };
}

/** `tags` with an `after` alone is the whole set; everything else says what came and what went. */
function tags(item: PlatformHistoryItem, at: number): TaskChange | undefined {
  if (item.field === 'tags' && Array.isArray(item.after)) return { field: 'tags', value: readTags(item.after), at };
  const before = readTags(item.before);
  const after = readTags(item.after);
  // Some senders name a tag that went under `after`.
  const wentAfter = item.field === 'tag_removed' && before.length === 0;
  const added = [...readTags(item.added), ...(wentAfter ? [] : after)];
  const removed = [...readTags(item.removed), ...before, ...(wentAfter ? after : [])].filter(
    (tag) => !added.includes(tag),
  );
  return added.length + removed.length === 0 ? undefined : { field: 'tag', added, removed, at };
}
