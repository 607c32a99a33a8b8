import { errorCodes } from '@eas/contracts';
import { AppError, type Constraint, type Violation } from '@eas/core';
import { bodyReader } from '@eas/http';
import type { z } from 'zod';
import type { Field, FormState, FormValues } from './views.ts';

export const untouched = (values: FormValues = {}): FormState => ({ values, errors: {} });

/** Parses a form like the body of an API call; throws invalid_input with all violations. */
export function readAs<S extends z.ZodObject>(schema: S): (values: object) => z.output<S> {
  const read = bodyReader(schema, { readOnly: [], isPatch: false });
  return (values) => read({ ...values }) as z.output<S>;
}

/** The result of a form: done, or the form is shown again with that status. */
export type Submitted<T> = { done: T } | { refused: { status: 400 | 403 | 409; form: FormState } };

/** Runs the action of a form. Errors that the person can correct are shown with what was typed; others are thrown. */
export async function submit<T>(
  { values, fields }: { values: FormValues; fields: readonly Field[] },
  work: () => Promise<T>,
): Promise<Submitted<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    const status = error instanceof AppError ? (error.status ?? errorCodes[error.code].status) : undefined;
    if (!(error instanceof AppError) || (status !== 400 && status !== 403 && status !== 409)) throw error;
    return { refused: { status, form: { values, ...wrongsOf(error, fields) } } };
  }
}

function wrongsOf({ message, violations }: AppError, fields: readonly Field[]): Omit<FormState, 'values'> {
  const errors: Record<string, string> = {};
  for (const violation of violations) {
    const name = violation.field.split('.')[0] ?? '';
    const field = fields.find((one) => one.name === name);
    if (field) errors[name] ??= sentenceAbout(field, violation);
  }
  return Object.keys(errors).length > 0 ? { errors } : { errors, problem: message };
}

function sentenceAbout({ label }: Field, { constraint }: Violation): string {
  return `${label} ${sentences[constraint] ?? 'is not valid.'}`;
}

const sentences: Partial<Record<Constraint, string>> = {
  required: 'is required.',
  min_length: 'is too short.',
  max_length: 'is too long.',
  type: 'does not have the required format.',
  format: 'does not have the required format.',
  pattern: 'does not have the required format.',
  exists: 'is already in use.',
};
