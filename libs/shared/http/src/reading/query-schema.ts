import { AppError } from '@eas/core';
import { z } from 'zod';
import { inputMessage } from './body-schema.ts';
import { violationsOf } from './violations.ts';

/** Parses the text after `?`; throws invalid_request naming the parameter. */
export type QueryReader = (text: string) => Record<string, unknown>;

/** Compiles a query schema. Unknown names are refused, but for those of trackers (`_…`, `utm_…`). */
export function queryReader(schema: z.ZodObject | undefined): QueryReader {
  const lists = new Set(
    Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>)
      .filter(([, field]) => takesList(field))
      .map(([name]) => name),
  );
  const known = new Set(Object.keys(schema?.shape ?? {}));
  const empty = schema ? undefined : {};
  return (text) => {
    if (text === '' && empty) return empty;
    const values = text === '' ? {} : readPairs(text, known, lists);
    if (!schema) return values;
    const parsed = schema.safeParse(values);
    if (parsed.success) return parsed.data;
    const violations = violationsOf(parsed.error, values);
    throw new AppError('invalid_request', { message: inputMessage(violations), violations });
  };
}

function takesList(schema: z.ZodType): boolean {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
  return inner instanceof z.ZodArray;
}

function readPairs(text: string, known: ReadonlySet<string>, lists: ReadonlySet<string>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at), '');
    if (!known.has(name)) {
      if (name.startsWith('_') || name.startsWith('utm_')) continue;
      throw invalid(name, 'unknown_field', `${shown(name)} is not a known query parameter.`);
    }
    const value = decode(at < 0 ? '' : pair.slice(at + 1), name);
    if (lists.has(name)) ((values[name] ??= []) as string[]).push(value);
    else if (name in values) throw invalid(name, 'type', `The query parameter ${name} may be given once only.`);
    else values[name] = value;
  }
  return values;
}

function decode(text: string, field: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(field, 'format', 'The query is not percent-encoded UTF-8.');
  }
  if (decoded.includes('\0')) throw invalid(field, 'format', 'The query contains the character U+0000.');
  return decoded;
}

function invalid(name: string, constraint: 'unknown_field' | 'type' | 'format', message: string): AppError {
  return new AppError('invalid_request', { field: shown(name), constraint, message });
}

const shown = (name: string) => name.slice(0, 100);
