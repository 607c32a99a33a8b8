import type { PlatformHistoryItem, PlatformTaskEvent, taskPriorities } from '@eas/contracts';
import { createPauses } from '@eas/core';
import { readComment } from './platform-comment.ts';
import {
  newestDate,
  readDueDate,
  readMillis,
  readPriority,
  readStatusWord,
  readTags,
  readText,
} from './platform-value.ts';

export type Priority = (typeof taskPriorities)[number];

/** One change that an event reports, with its date in Unix milliseconds. */
export type TaskChange = { at: number } & (
  | { field: 'title' | 'description'; value: string }
  | { field: 'priority'; value: Priority }
  | { field: 'due_date'; value: Date | null }
  | { field: 'tags'; value: string[] }
  | { field: 'tag'; added: string[]; removed: string[] }
  | { field: 'status'; value: string }
  | { field: 'comment'; id: string | null; content: string; author: string }
);

export type TaskNews = {
  /** In the order in which they count: the event's data, then its history by date. */
  changes: TaskChange[];
  /** Newest date that the platform gave, in Unix milliseconds; undefined: the receipt alone dates it. */
  datedAt: number | undefined;
  /** Set when the event is the task's deletion. */
  deletedAt: number | undefined;
};

/** Date of a creation that says none: older than any update, whenever either of them arrives. */
export const undatedCreation = 0;

/** Reads a task event; others have the event loop in between. */
export async function readTaskNews(body: PlatformTaskEvent, receivedAt: Date): Promise<TaskNews> {
  const received = receivedAt.getTime();
  const items = body.history_items ?? [];
  const datedAt = newestDate(items);
  if (body.event === 'taskDeleted') return { changes: [], datedAt, deletedAt: datedAt ?? received };
  const undated = body.event === 'taskCreated' ? undatedCreation : received;
  const dates = items.map((item) => readMillis(item.date) ?? received);
  const dataAt = dates.reduce((newest, at) => Math.max(newest, at), items.length === 0 ? undated : 0);
  const ofHistory: TaskChange[] = [];
  const pause = createPauses();
  for (const [index, item] of items.entries()) {
    ofHistory.push(...changesOfItem(item, dates[index] ?? received));
    await pause();
  }
  return {
    changes: [...changesOfData(body, dataAt), ...ofHistory.sort((a, b) => a.at - b.at)],
    datedAt,
    deletedAt: undefined,
  };
}

function changesOfData({ data }: PlatformTaskEvent, at: number): TaskChange[] {
  if (!data) return [];
  const changes: (TaskChange | undefined)[] = [
    title(data.name, at),
    typeof data.description === 'string' && isOwnDescription(data)
      ? { field: 'description', value: readText(data.description), at }
      : undefined,
    status(data.status, at),
    typeof data.priority === 'number' ? priority(data.priority, at) : undefined,
    data.due_date === undefined ? undefined : dueDate(data.due_date, at),
    Array.isArray(data.tags) ? { field: 'tags', value: readTags(data.tags), at } : undefined,
  ];
  return changes.filter((change) => change !== undefined);
}

/** Time tracking sends a `description` of the interval. */
const isOwnDescription = (data: object) => !('interval_id' in data);

function changesOfItem(item: PlatformHistoryItem, at: number): TaskChange[] {
  const change = changeOfItem(item, at);
  return change ? [change] : [];
}

function changeOfItem(item: PlatformHistoryItem, at: number): TaskChange | undefined {
  switch (item.field) {
    case 'name':
    case 'title':
      return title(item.after, at);
    case 'content':
    case 'description':
      return item.after === undefined ? undefined : { field: 'description', value: readText(item.after), at };
    case 'priority':
      return item.after === undefined ? undefined : priority(item.after, at);
    case 'due_date':
      return item.after === undefined ? undefined : dueDate(item.after, at);
    case 'tag':
    case 'tags':
    case 'tag_removed':
      return tags(item, at);
    case 'status':
      return status(item.after, at);
    case 'comment': {
      const comment = readComment(item);
      return comment && { field: 'comment', ...comment, at };
    }
    default:
      return undefined;
  }
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

function status(value: unknown, at: number): TaskChange | undefined {
  const word = readStatusWord(value);
  return word === undefined ? undefined : { field: 'status', value: word, at };
}

/** `tags` with an `after` alone is the whole set; everything else says what came and what went. */
function tags(item: PlatformHistoryItem, at: number): TaskChange | undefined {
  if (item.field === 'tags' && Array.isArray(item.after)) return { field: 'tags', value: readTags(item.after), at };
  const before = readTags(item.before);
  const after = readTags(item.after);
  const added = [...readTags(item.added), ...after];
  const removed = [...readTags(item.removed), ...before].filter((tag) => !added.includes(tag));
  return added.length + removed.length === 0 ? undefined : { field: 'tag', added, removed, at };
}
