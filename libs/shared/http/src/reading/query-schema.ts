import { ruleOfIssue } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { z } from 'zod';
import { namesOf, readPairs } from './pairs.ts';
import { violationsOf } from './violations.ts';

/** Parses the text after `?`; throws invalid_request naming the parameter. */
export type QueryReader = (text: string) => Record<string, unknown>;

const queryRules = {
  source: 'query',
  noun: 'query parameter',
  code: 'invalid_request',
  isIgnored: (name: string) => name.startsWith('_') || name.startsWith('utm_'),
} as const;

/** Compiles a query schema. Unknown names are refused, but for those of trackers (`_…`, `utm_…`). */
export function queryReader(schema: z.ZodObject | undefined): QueryReader {
  const rules = { ...namesOf(schema), ...queryRules };
  const empty = schema ? undefined : {};
  return (text) => {
    if (text === '' && empty) return empty;
    const values = text === '' ? {} : readPairs(text, rules);
    if (!schema) return values;
    const parsed = schema.safeParse(values, { error: ruleOfIssue });
    if (parsed.success) return parsed.data;
    throw new AppError('invalid_request', { violations: violationsOf(parsed.error, values) });
  };
}
