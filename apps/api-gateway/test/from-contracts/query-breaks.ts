import type { Constraint } from '@eas/core';
import type { z } from 'zod';
import { inputSchemas, type JsonSchema, withoutNull } from './json-schema.ts';
import { validValue } from './valid-value.ts';

/** A query with one wrong value, and how the response must name it. */
export type QueryBreak = { query: string; field: string; constraint: Constraint };

/** A valid text for every parameter of a query. */
export function validQuery(contract: z.ZodType): Record<string, string> {
  return Object.fromEntries(
    parametersOf(contract).map(([name, schema]) => [name, String([validValue(schema)].flat()[0])]),
  );
}

/** Every way to break one parameter of a query, found in its contract; of every query, even of none, the last ones. */
export function queryBreaksOf(contract: z.ZodType | undefined): QueryBreak[] {
  const ofParameters = contract ? parametersOf(contract).flatMap(([name, schema]) => breaksOf(name, schema)) : [];
  return [
    ...ofParameters,
    { query: 'nonsense=1', field: 'nonsense', constraint: 'unknown_field' },
    { query: '__proto__=1&nonsense=1', field: 'nonsense', constraint: 'unknown_field' },
    { query: '%ff=1', field: '', constraint: 'format' },
  ];
}

function parametersOf(contract: z.ZodType): [string, JsonSchema][] {
  const [schema] = inputSchemas(contract);
  return Object.entries(schema?.properties ?? {}).map(([name, inner]) => [name, withoutNull(inner)]);
}

function breaksOf(name: string, schema: JsonSchema): QueryBreak[] {
  const wrongs: [string, Constraint][] = [
    ['%ff', 'format'],
    ['%00', 'format'],
    ...(schema.type === 'integer' ? wrongNumbers(schema) : wrongTexts(schema)),
  ];
  const breaks = wrongs.map(([text, constraint]) => ({ query: `${name}=${text}`, field: name, constraint }));
  if (schema.type === 'array') return breaks;
  const twice = `${name}=${encodeURIComponent(String(validValue(schema)))}`;
  const wrongCase = name.toUpperCase();
  return [
    ...breaks,
    { query: `${twice}&${twice}`, field: name, constraint: 'type' },
    { query: `${wrongCase}=1`, field: wrongCase, constraint: 'unknown_field' },
  ];
}

function wrongNumbers({ minimum, maximum }: JsonSchema): [string, Constraint][] {
  const wrongs: [string, Constraint][] = ['', 'ten', '1.5', '1e1', '0x1', '%201'].map((text) => [text, 'type']);
  if (minimum !== undefined) wrongs.push([String(minimum - 1), 'min'], [`-${'9'.repeat(20)}`, 'min']);
  if (maximum !== undefined) wrongs.push([String(maximum + 1), 'max'], ['9'.repeat(20), 'max']);
  return wrongs;
}

function wrongTexts({ enum: words, pattern, format, maxLength, items }: JsonSchema): [string, Constraint][] {
  if (items) return wrongTexts(items);
  if (words) return ['', 'no-such-word', `${words[0]},${words[0]}`].map((text) => [text, 'enum']);
  const tooLong: [string, Constraint][] = [['x'.repeat((maxLength ?? 10_000) + 1), 'max_length']];
  if (pattern) return [...tooLong, ['!', 'pattern'], ['', 'pattern']];
  if (format) return [...tooLong, ['', 'format'], ['no-such-form', 'format']];
  return tooLong;
}
