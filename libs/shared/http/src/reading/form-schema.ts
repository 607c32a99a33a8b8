import { ruleOfIssue } from '@eas/contracts';
import { AppError } from '@eas/core';
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { namesOf, readPairs } from './pairs.ts';
import { violationsOf } from './violations.ts';

/** A submitted form: its fields, read on demand, and the token that shows which page it was sent from. */
type Form = { csrfToken: string | undefined; read: () => unknown };

/** Splits urlencoded bytes; `read` throws invalid_input with all violations. */
export type FormReader = (bytes: Buffer) => Form;

const csrfField = 'csrf_token';
const formRules = { source: 'form', noun: 'field', code: 'invalid_input', isIgnored: () => false } as const;

/** Compiles a form's schema. Unknown fields are refused; an empty text in a field that may be left out counts as that. */
export function formReader(schema: z.ZodObject): FormReader {
  const { known, lists } = namesOf(schema);
  const rules = { known: new Set([...known, csrfField]), lists, ...formRules };
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const optional = new Set(fields.filter(([, field]) => field.safeParse(undefined).success).map(([name]) => name));
  return (bytes) => {
    if (!isUtf8(bytes)) throw new AppError('invalid_input', { message: 'The form must be UTF-8.' });
    const { [csrfField]: csrfToken, ...values } = readPairs(bytes.toString('utf8'), rules);
    for (const name of optional) if (values[name] === '') delete values[name];
    return { csrfToken: csrfToken as string | undefined, read: () => parse(schema, values) };
  };
}

function parse(schema: z.ZodObject, values: Record<string, unknown>): unknown {
  const parsed = schema.safeParse(values, { error: ruleOfIssue });
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_input', { violations: violationsOf(parsed.error, values) });
}
