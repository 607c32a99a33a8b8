import { hasMembers } from '@eas/core';
import { type RunData, valueAt } from './run-data.ts';

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The first paths, `most` of them, that a text asks for by `{{path}}`. */
export function pathsIn(text: string, most: number): string[] {
  const paths: string[] = [];
  for (const [, path = ''] of text.matchAll(placeholder)) if (paths.push(path.trim()) >= most) break;
  return paths;
}

/** The path of a text that is one placeholder and nothing else. */
export function onlyPathIn(text: string): string | undefined {
  const [, path] = /^\{\{([^{}]*)\}\}$/.exec(text) ?? [];
  return path?.trim();
}

/** Builds at most `maxLength` characters, however often a long value is used. Missing values are empty. */
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

/** Cached texts of objects and lists, since every tag of a task may use one. */
const written = new WeakMap<object, string>();

function writtenOut(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (!hasMembers(value)) return JSON.stringify(value);
  const text = written.get(value) ?? JSON.stringify(value);
  written.set(value, text);
  return text;
}

/** Without half a character at its end, and without characters that texts cannot contain. */
function cut(text: string, maxLength: number): string {
  const short = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  return short.replaceAll('\0', '\uFFFD').toWellFormed();
}
