import type { PlatformHistoryItem } from '@eas/contracts';
import { isJsonObject } from '@eas/core';
import { readText } from './platform-value.ts';

export type PlatformComment = { id: string | null; content: string; author: string };

type Part = { text?: unknown };
type CommentObject = { id?: unknown; text_content?: unknown; comment?: unknown; user?: unknown };

/** The comment of a history item: an object, an array of parts, or the text itself under `after`. */
export function readComment(item: PlatformHistoryItem): PlatformComment | undefined {
  const { comment } = item;
  const { id, text_content: text, comment: parts, user }: CommentObject = isJsonObject(comment) ? comment : {};
  const known = readText(text) || textOfParts(parts) || textOfParts(comment) || readText(comment) || afterText(item);
  const content = known.trim();
  if (content === '') return undefined;
  const author = nameOf(user) ?? nameOf((item as { user?: unknown }).user) ?? 'platform';
  return { id: idText(id) ?? idText(item.id), content, author };
}

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
