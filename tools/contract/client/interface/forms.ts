// The types and forms that the document gives to values.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Json } from './call.ts';

export type Form = { what: string; fits(value: Json): boolean };
type Fields = Readonly<Record<string, Form>>;

export const text: Form = { what: 'a string', fits: (value) => typeof value === 'string' };
export const integer: Form = { what: 'an integer', fits: Number.isInteger };
export const boolean: Form = { what: 'a boolean', fits: (value) => typeof value === 'boolean' };
export const object: Form = {
  what: 'an object',
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
export const fraction: Form = {
  what: 'a number between 0 and 1',
  fits: (value) => typeof value === 'number' && value >= 0 && value <= 1,
};
export const timestamp: Form = matching(
  'an ISO 8601 timestamp in UTC',
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/,
);
export const hours: Form = matching('a string of the form <number>h', /^\d+(\.\d+)?h$/);
export const absent: Form = { what: 'absent', fits: (value) => value === undefined };

export function matching(what: string, pattern: RegExp): Form {
  return { what, fits: (value) => typeof value === 'string' && pattern.test(value) };
}
export function exactly(expected: string, what = JSON.stringify(expected)): Form {
  return { what, fits: (value) => value === expected };
}
export function oneOf(...words: string[]): Form {
  return { what: `one of ${words.join(', ')}`, fits: (value) => words.includes(value) };
}
export function orNull({ what, fits }: Form): Form {
  return { what: `${what} or null`, fits: (value) => value === null || fits(value) };
}
/** One without elements shows nothing about them. */
export function arrayOf({ what, fits }: Form): Form {
  const one = what.replace(/^an? /, '');
  return {
    what: `an array of ${one}`,
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every(fits),
  };
}
export function shaped(fields: Fields): Form {
  const names = Object.entries(fields).map(([name, { what }]) => `${name} (${what})`);
  return {
    what: `an object of ${names.join(', ')}`,
    fits: (value) => object.fits(value) && Object.entries(fields).every(([name, { fits }]) => fits(value[name])),
  };
}

export function assertForm(value: Json, { what, fits }: Form, name = 'it'): void {
  assert.ok(fits(value), `${name} is ${JSON.stringify(value)}, not ${what}`);
}

/** A test for each field of what is named; a name with dots leads into objects. */
export function itHas(what: string, subject: () => Json, fields: Fields): void {
  for (const [name, form] of Object.entries(fields))
    it(`${name} of ${what} is ${form.what}`, () =>
      assertForm(
        name.split('.').reduce((value, key) => value?.[key], subject()),
        form,
        name,
      ));
}

export function assertCarries(item: Json, ...names: string[]): void {
  assertForm(item, object);
  const missing = names.filter((name) => !(name in item));
  assert.deepEqual(missing, [], `missing in ${JSON.stringify(item)}`);
}
