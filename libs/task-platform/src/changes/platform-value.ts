import { parseTimestamp, type taskPriorities } from '@eas/contracts';
import { hasMembers } from '@eas/core';

const maxDescription = 65_536;
/** A longer document is taken as the text that it is: reading it would keep others waiting. */
const maxDocument = 8 * maxDescription;

/** The text, or its first part with a sign that there is more. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()} …`;

/** Text of a value: as it is, or the inserts of a rich-text document; anything else is empty. */
export function readText(value: unknown): string {
  if (typeof value !== 'string') return '';
  // A document inside a text may spell out what the body itself may not contain.
  return (richText(value) ?? value).replaceAll('\0', '').slice(0, maxDescription).toWellFormed();
}

/** The platform's editor keeps a document as JSON: {"ops":[{"insert":"…"}]}. */
function richText(text: string): string | undefined {
  if (!text.startsWith('{"ops"') || text.length > maxDocument) return undefined;
  try {
    const { ops } = JSON.parse(text) as { ops?: unknown };
    if (!Array.isArray(ops)) return undefined;
    return ops
      .map((op: { insert?: unknown } | null) => (typeof op?.insert === 'string' ? op.insert : ''))
      .join('')
      .trimEnd();
  } catch {
    return undefined;
  }
}

/** Unix milliseconds of a date as the platform writes it (number or digits) or as RFC 3339; undefined for anything else. */
export function readMillis(value: unknown): number | undefined {
  const millis = typeof value === 'string' ? millisOfText(value) : value;
  if (typeof millis !== 'number' || !Number.isFinite(millis)) return undefined;
  return millis >= 0 && millis < 253_402_300_800_000 ? Math.floor(millis) : undefined;
}

/** The newest date of history items that have one, in Unix milliseconds. */
export function newestDate(items: readonly { date?: unknown }[]): number | undefined {
  return items.reduce<number | undefined>((newest, { date }) => {
    const at = readMillis(date);
    return at === undefined || (newest !== undefined && newest >= at) ? newest : at;
  }, undefined);
}

function millisOfText(text: string): number | undefined {
  return /^\d{1,16}$/.test(text) ? Number(text) : parseTimestamp(text)?.getTime();
}

/** A due date; null clears it, undefined when the value is none. */
export function readDueDate(value: unknown): Date | null | undefined {
  if (value === null) return null;
  const millis = readMillis(value);
  return millis === undefined ? undefined : new Date(millis);
}

type Priority = (typeof taskPriorities)[number];

const priorityWords: Record<string, Priority> = {
  '1': 'urgent',
  '2': 'high',
  '3': 'medium',
  '4': 'low',
  critical: 'critical',
  urgent: 'urgent',
  high: 'high',
  normal: 'medium',
  medium: 'medium',
  low: 'low',
};

/** 1 urgent … 4 low, a word, or {id, priority}; null is no priority, our medium. Undefined for anything else. */
export function readPriority(value: unknown): Priority | undefined {
  if (value === null) return 'medium';
  if (hasMembers(value)) {
    const { id, priority } = value;
    return readPriority(priority ?? id ?? '') ?? readPriority(id ?? '');
  }
  const word = typeof value === 'number' || typeof value === 'string' ? String(value).toLowerCase() : '';
  return Object.hasOwn(priorityWords, word) ? priorityWords[word] : undefined;
}

/** A status of the platform: its word, and the kind that the platform itself gives it, in lower case. */
export type PlatformStatus = { word: string; type: string | null };

/** A word, or {status, type}; `data` of a history item may have the type as `status_type`. */
export function readStatus(value: unknown, data?: unknown): PlatformStatus | undefined {
  const word = shortText(hasMembers(value) ? value['status'] : value);
  if (word === undefined) return undefined;
  const type = shortText(hasMembers(value) ? value['type'] : undefined) ?? shortText(memberOf(data, 'status_type'));
  return { word, type: type?.toLowerCase() ?? null };
}

/** A text that says something, of at most 255 characters. */
export function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // A character is cut in half only at the end.
  return value.replaceAll('\0', '').trim().slice(0, 255).toWellFormed() || undefined;
}

/** An id, which the platform writes as a number or as a text. */
export const idText = (id: unknown): string | undefined =>
  shortText(typeof id === 'number' && Number.isFinite(id) ? String(id) : id);

export const memberOf = (value: unknown, name: string): unknown => (hasMembers(value) ? value[name] : undefined);

/** Names of tags given as texts or {name}, one or a list, each once, in our bounds (50 of at most 64 characters). */
export function readTags(value: unknown): string[] {
  const names = (Array.isArray(value) ? value : [value])
    .map((tag: unknown) => (hasMembers(tag) ? tag['name'] : tag))
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim().slice(0, 64).toWellFormed());
  return [...new Set(names.filter((name) => name !== ''))].slice(0, 50);
}
