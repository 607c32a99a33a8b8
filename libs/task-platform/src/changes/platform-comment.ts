import type { PlatformHistoryItem } from '@eas/contracts';
import { isJsonObject } from '@eas/core';
import { readText } from './platform-value.ts';

/** `content` null: the comment was deleted. `parent`: the task, or the comment that it replies to. */
export type PlatformComment = {
  id: string | null;
  content: string | null;
  author: string;
  rank: CommentRank;
  parent?: string;
};

/**
 * An edit has the date of the comment itself: of equal dates the event tells which is newer. posted, any, edited,
 * deleted.
 */
export type CommentRank = 0 | 1 | 2 | 3;

type Part = { text?: unknown };
type CommentObject = { id?: unknown; text_content?: unknown; comment?: unknown; user?: unknown; parent?: unknown };

/** The comment of a history item: an object, an array of parts, or the text itself under `after`. */
export function readComment(item: PlatformHistoryItem, event: string): PlatformComment | undefined {
  const { comment } = item;
  const { id, text_content: text, comment: parts, user, parent }: CommentObject = isJsonObject(comment) ? comment : {};
  const author = nameOf(user) ?? nameOf((item as { user?: unknown }).user) ?? 'platform';
  if (isDeletion(item))
    return { id: idText(id) ?? idText(item.before) ?? idText(item.id), content: null, author, rank: 3 };
  const known = readText(text) || textOfParts(parts) || textOfParts(comment) || readText(comment) || afterText(item);
  const content = known.trim();
  if (content === '') return undefined;
  return {
    id: idText(id) ?? idUnder(item.after) ?? idText(item.id) ?? idByDate(item, content),
    content,
    author,
    rank: rankOf(event),
    ...(idText(parent) === null ? {} : { parent: idText(parent) ?? '' }),
  };
}

function rankOf(event: string): CommentRank {
  if (event === 'taskCommentPosted') return 0;
  return event === 'taskCommentUpdated' ? 2 : 1;
}

/** A field of its own, a mark on the comment, or a comment that was there and is no more. */
function isDeletion({ field, comment, before, after }: PlatformHistoryItem): boolean {
  if (field === 'comment_deleted' || field === 'comment_removed') return true;
  if (isJsonObject(comment)) return comment['deleted'] === true;
  return comment === null && after === null && idText(before) !== null;
}

/** Without an id, a comment is known by its moment and what it says. */
const idByDate = ({ date }: PlatformHistoryItem, content: string) =>
  date === undefined || date === null ? null : `${date} ${content}`;

/** The platform puts the comment's id under `after`; digits alone. */
const idUnder = (after: unknown) => (/^\d+$/.test(String(idText(after))) ? idText(after) : null);

function textOfParts(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return readText(parts.map((part: Part | null) => (typeof part?.text === 'string' ? part.text : '')).join(''));
}

/** The platform puts the comment's id under `after`; only words are taken for the comment. */
function afterText({ after }: PlatformHistoryItem): string {
  const text = readText(after);
  return /^\d*$/.test(text) ? '' : text;
}

function nameOf(user: unknown): string | undefined {
  const name = (user as { username?: unknown } | null | undefined)?.username;
  return typeof name === 'string' && name !== '' ? name.slice(0, 200).toWellFormed() : undefined;
}

function idText(id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 255).toWellFormed() : null;
}
