import type { PlatformComment as CommentChange } from '@eas/tasks';
import type { CommentRank } from './platform-comment.ts';
import type { ObjectCopy } from './platform-object.ts';

/**
 * A comment as it is kept. `entry`: its number in the timeline of `taskId`, our task; null: it was deleted before it came.
 * Copies without `taskId` are of things that were never linked to another task.
 */
export type CommentCopy = {
  taskId?: string;
  content: string | null;
  author: string;
  entry: number | null;
  at: number;
  rank: CommentRank;
};

/** `task_id`: the platform's task. */
export type StoredComment = Omit<CommentCopy, 'at'> & { task_id: string };

export type ReportedComment = Omit<CommentCopy, 'entry' | 'taskId'> & { id: string | null };

export type CommentPlan = {
  changes: CommentChange[];
  /** Copies to keep, each with the change that gives it its entry. */
  copies: { id: string; copy: CommentCopy; change: CommentChange | undefined }[];
};

/**
 * What reported comments do. One comment reaches us in several events, late and twice; of each the newest content
 * counts, in one entry. A comment without an id counts with its receipt.
 */
export function planComments(
  reported: readonly ReportedComment[],
  copyOf: (id: string) => CommentCopy | undefined,
): CommentPlan {
  const planned = new Map<string, CommentPlan['copies'][number]>();
  const changes: CommentChange[] = [];
  for (const { id, ...one } of reported) {
    if (id === null) {
      if (one.content !== null) changes.push({ content: one.content, author: one.author });
      continue;
    }
    const known = planned.get(id)?.copy ?? copyOf(id);
    if (known && !isNotOlder(one, known)) continue;
    const copy = { ...one, entry: known?.entry ?? null };
    planned.set(id, { id, copy, change: changeTo(copy, copyOf(id)) });
  }
  const copies = [...planned.values()];
  return { changes: [...changes, ...copies.flatMap(({ change }) => change ?? [])], copies };
}

const isNotOlder = (one: Omit<ReportedComment, 'id'>, known: CommentCopy) =>
  one.at > known.at || (one.at === known.at && one.rank >= known.rank);

function changeTo({ content, author, entry }: CommentCopy, known: CommentCopy | undefined): CommentChange | undefined {
  if (entry !== null) return content === known?.content ? undefined : { entry, content };
  return content === null ? undefined : { content, author };
}

export function toCommentCopy({ data, updatedAt }: ObjectCopy<StoredComment>): CommentCopy {
  return { ...data, at: updatedAt.getTime() };
}

export function toObjectCopy({ at, ...data }: CommentCopy, externalId: string): ObjectCopy<StoredComment> {
  return { data: { task_id: externalId, ...data }, fieldDates: {}, updatedAt: new Date(at) };
}
