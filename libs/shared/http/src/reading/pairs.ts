import { AppError, type Constraint } from '@eas/core';
import { z } from 'zod';

export type PairRules = {
  known: ReadonlySet<string>;
  /** Names whose repeated values are collected. */
  lists: ReadonlySet<string>;
  code: 'invalid_request' | 'invalid_input';
  /** Words of messages for the whole text, and for one of its names. */
  source: 'query' | 'form';
  noun: 'query parameter' | 'field';
  /** Whether an unknown name is ignored; else it is refused. */
  isIgnored: (name: string) => boolean;
};

export function namesOf(schema: z.ZodObject | undefined): Pick<PairRules, 'known' | 'lists'> {
  const fields = Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>);
  return {
    known: new Set(fields.map(([name]) => name)),
    lists: new Set(fields.filter(([, field]) => takesList(field)).map(([name]) => name)),
  };
}

function takesList(schema: z.ZodType): boolean {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
  return inner instanceof z.ZodArray;
}

/** Reads `a=1&b=2`: percent-encoded UTF-8, `+` for a space. A repeated single value is refused. */
export function readPairs(text: string, rules: PairRules): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at), '', rules);
    if (!rules.known.has(name)) {
      if (rules.isIgnored(name)) continue;
      throw invalid(rules, name, 'unknown_field', `${shown(name)} is not a known ${rules.noun}.`);
    }
    const value = decode(at < 0 ? '' : pair.slice(at + 1), name, rules);
    if (rules.lists.has(name)) ((values[name] ??= []) as string[]).push(value);
    else if (name in values) throw invalid(rules, name, 'type', `${name} must be given only once.`);
    else values[name] = value;
  }
  return values;
}

function decode(text: string, field: string, rules: PairRules): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(rules, field, 'format', `The ${rules.source} must be percent-encoded UTF-8.`);
  }
  if (decoded.includes('\0'))
    throw invalid(rules, field, 'format', `The ${rules.source} must not contain the character U+0000.`);
  return decoded;
}

function invalid({ code }: PairRules, name: string, constraint: Constraint, message: string): AppError {
  return new AppError(code, { field: shown(name), constraint, message });
}

/** A name, cut to a length that fits a response. */
const shown = (name: string) => name.slice(0, 100);
