import { ruleOfIssue } from '@eas/contracts';
import { AppError } from '@eas/core';
import { z } from 'zod';
import { namesOf, readPairs } from './pairs.ts';
import { violationsOf } from './violations.ts';

/** Parses the text after `?`; throws invalid_request naming the parameter. */
export type QueryReader = (text: string) => Record<string, unknown>;

const isTracking = (name: string): boolean => name.startsWith('_') || name.startsWith('utm_');
/** A loose schema is that of a page whose script reads the query. */
const isLoose = (schema: z.ZodObject | undefined): boolean => schema?.def.catchall instanceof z.ZodUnknown;

const queryRules = {
  source: 'query',
  noun: 'query parameter',
  code: 'invalid_request',
} as const;

/**
 * Compiles a query schema. Unknown names are refused unless the schema is loose, except tracking parameters (`_…`,
 * `utm_…`).
 */
export function queryReader(schema: z.ZodObject | undefined): QueryReader {
  const isIgnored = isLoose(schema) ? () => true : isTracking;
  const rules = { ...namesOf(schema), ...queryRules, isIgnored };
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
