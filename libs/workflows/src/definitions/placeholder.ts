import { type RunData, valueAt } from './run-data.ts';

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The paths that a text asks for by `{{path}}`. */
export function pathsIn(text: string): string[] {
  return Array.from(text.matchAll(placeholder), ([, path = '']) => path.trim());
}

/** The path of a text that is one placeholder and nothing else. */
export function onlyPathIn(text: string): string | undefined {
  const [, path] = /^\{\{([^{}]*)\}\}$/.exec(text) ?? [];
  return path?.trim();
}

/**
 * The text with its placeholders filled in, at most `maxLength` long: no more than that is ever put together, however
 * often a long value is asked for. What is not there is empty.
 */
export function fillIn(text: string, data: RunData, maxLength: number): string {
  let filled = '';
  let end = 0;
  for (const { 0: whole, 1: path = '', index } of text.matchAll(placeholder)) {
    filled += text.slice(end, index) + writtenOut(valueAt(data, path.trim())).slice(0, maxLength);
    end = index + whole.length;
    if (filled.length >= maxLength) return cut(filled, maxLength);
  }
  return cut(filled + text.slice(end), maxLength);
}

function writtenOut(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Without half a character at its end, and without what no text may hold. */
function cut(text: string, maxLength: number): string {
  const short = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  return short.replaceAll('\0', '\uFFFD').toWellFormed();
}
