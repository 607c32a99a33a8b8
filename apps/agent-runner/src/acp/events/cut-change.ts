import { createHash } from 'node:crypto';

export type Change = { path: string; oldText: string; newText: string };

/** Context lines that are kept before and after a difference, and their maximum length. */
const [contextLines, contextLength] = [3, 1_000];

/**
 * A change whose texts have at most this length, or a mark: equal text at the beginning and end is left out except some
 * lines, and the rest is cut. Different texts get different marks. Linear in the length of the texts.
 */
export function cutChange(change: Change, length: number): Change {
  const { path, oldText, newText } = change;
  if (Math.max(oldText.length, newText.length) <= length) return change;
  const equal = equalEnds(oldText, newText);
  const shorten = (text: string) => cutMarked(withoutEnds(text, equal), { length, whole: text });
  return { path, oldText: shorten(oldText), newText: shorten(newText) };
}

type Ends = { start: number; end: number };

/** How many characters of both texts are left out. */
function equalEnds(before: string, after: string): Ends {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  const isSameEnd = (at: number) =>
    before.charCodeAt(before.length - 1 - at) === after.charCodeAt(after.length - 1 - at);
  while (end < shorter - start && isSameEnd(end)) end += 1;
  return { start: contextStart(before, start), end: before.length - contextEnd(before, before.length - end) };
}

function contextStart(text: string, differs: number): number {
  let newline = differs;
  for (let lines = 0; lines <= contextLines && newline !== -1; lines += 1)
    newline = newline === 0 ? -1 : text.lastIndexOf('\n', newline - 1);
  return Math.max(newline + 1, differs - contextLength);
}

function contextEnd(text: string, differs: number): number {
  let newline = differs - 1;
  for (let lines = 0; lines <= contextLines && newline !== text.length; lines += 1) {
    const next = text.indexOf('\n', newline + 1);
    newline = next === -1 ? text.length : next;
  }
  return Math.min(newline + 1, differs + contextLength, text.length);
}

function withoutEnds(text: string, { start, end }: Ends): string {
  const until = text.length - end;
  const head = start === 0 ? '' : `${equalMark(text.slice(0, start))}\n`;
  const tail = end === 0 ? '' : `${text[until - 1] === '\n' ? '' : '\n'}${equalMark(text.slice(until))}`;
  return `${head}${text.slice(start, until)}${tail}`;
}

function equalMark(text: string): string {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return `… ${lines} equal lines, ${text.length} characters …`;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Marks a cut text; different texts get different marks. */
export const cutMark = (whole: string): string => `… (cut, SHA-256 ${sha256(whole)})`;

function cutMarked(text: string, { length, whole }: { length: number; whole: string }): string {
  if (text.length <= length) return text;
  const mark = `\n${cutMark(whole)}`;
  return text.slice(0, Math.max(0, length - mark.length)) + mark;
}
