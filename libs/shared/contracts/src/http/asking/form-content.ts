import type { Constraint, Violation } from '@eas/core';
import { parseTimestamp } from '../../fields.ts';
import type { Form, FormContent, FormField } from './form.ts';
import { optionsOf } from './form-options.ts';

type Problem = { constraint: Constraint; message: string };
type Value = FormContent[string];

/** Violations of a form by an answer, by `content.<field>`; none if it is valid. Linear in the size of both. */
export function contentViolations({ properties, required = [] }: Form, content: FormContent): Violation[] {
  const unknown = Object.keys(content).filter((key) => !Object.hasOwn(properties, key));
  const misfits = Object.entries(properties).flatMap(([key, field]) => {
    const value = content[key];
    const isMissing = value === undefined || (typeof value === 'string' && value.trim() === '');
    if (isMissing && required.includes(key))
      return [violation(key, { constraint: 'required', message: 'is required' })];
    const problem = value === undefined ? undefined : problemOf(field, value);
    return problem ? [violation(key, problem)] : [];
  });
  const message = 'is not a field of the form';
  return [...unknown.map((key) => violation(key, { constraint: 'unknown_field', message })), ...misfits];
}

const violation = (key: string, problem: Problem): Violation => ({ field: `content.${key}`, ...problem });

/** Why a value is not valid for a field; undefined if it is. */
export function problemOf(field: FormField, value: Value): Problem | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType('true or false');
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'array':
      return Array.isArray(value) ? itemsProblem(field, value) : wrongType('an array');
    case 'string':
      return typeof value === 'string' ? textProblem(field, value) : wrongType('a string');
  }
}

type FieldOf<T extends FormField['type']> = Extract<FormField, { type: T }>;

const wrongType = (name: string): Problem => ({ constraint: 'type', message: `must be ${name}` });

function numberProblem({ type, minimum, maximum }: FieldOf<'number' | 'integer'>, value: Value): Problem | undefined {
  if (typeof value !== 'number') return wrongType('a number');
  if (type === 'integer' && !Number.isInteger(value)) return wrongType('an integer');
  if (minimum !== undefined && value < minimum) return { constraint: 'min', message: `must be at least ${minimum}` };
  if (maximum !== undefined && value > maximum) return { constraint: 'max', message: `must be at most ${maximum}` };
  return undefined;
}

function itemsProblem(field: FieldOf<'array'>, values: readonly string[]): Problem | undefined {
  const { minItems = 0, maxItems = Infinity } = field;
  const chosen = new Set(values);
  if (chosen.size < values.length) return { constraint: 'exists', message: 'must not have an option twice' };
  if (values.length < minItems) return { constraint: 'min_length', message: `must have at least ${minItems} options` };
  if (values.length > maxItems) return { constraint: 'max_length', message: `must have at most ${maxItems} options` };
  return notAnOption(field, values);
}

function textProblem(field: FieldOf<'string'>, value: string): Problem | undefined {
  const { minLength = 0, maxLength = Infinity, format } = field;
  const length = Array.from(value).length;
  if (length < minLength) return { constraint: 'min_length', message: `must have at least ${minLength} characters` };
  if (length > maxLength) return { constraint: 'max_length', message: `must have at most ${maxLength} characters` };
  if (format !== undefined && !formats[format].test(value))
    return { constraint: 'format', message: `must be ${formats[format].name}` };
  return notAnOption(field, [value]);
}

function notAnOption(field: FormField, values: readonly string[]): Problem | undefined {
  const options = optionsOf(field).map((option) => option.value);
  if (options.length === 0 || values.every((value) => options.includes(value))) return undefined;
  const message = `must be one of the options: ${options.join(', ')}`.slice(0, 1_000).toWellFormed();
  return { constraint: 'enum', message };
}

const maxFormatted = 2_048;
const isShort = (text: string) => text.length <= maxFormatted;

const formats: Record<NonNullable<FieldOf<'string'>['format']>, { name: string; test: (text: string) => boolean }> = {
  email: { name: 'an e-mail address', test: (text) => isShort(text) && /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { name: 'an absolute URL', test: (text) => isShort(text) && URL.canParse(text) },
  date: {
    name: 'a date, such as 2026-11-20',
    test: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(text) !== undefined,
  },
  'date-time': {
    name: 'an RFC 3339 timestamp',
    test: (text) => text.length > 10 && parseTimestamp(text) !== undefined,
  },
};
