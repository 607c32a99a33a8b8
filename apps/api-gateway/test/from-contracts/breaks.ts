import type { Constraint } from '@eas/core';
import type { Json } from '../gateway.ts';
import { inputSchemas, type JsonSchema, takesNull, withoutNull } from './json-schema.ts';
import { entryName, validValue } from './valid-value.ts';
import type { z } from 'zod';

/** A request that is valid except one value, and how the response must name it. */
export type Break = {
  title: string;
  field: string;
  constraint: Constraint;
  body: Json;
  /** The schema may have the constraint, but does not say so. */
  isHidden?: boolean;
};

/** A wrong value; absent: the field is left out. */
type Wrong = { title: string; constraint: Constraint; value?: Json; under?: string; isHidden?: boolean };
type Position = { path: readonly string[]; schema: JsonSchema; isRequired: boolean };

const absent = Symbol('absent');

/** Every way to break exactly one constraint of a body, found in its contract. */
export function breaksOf(contract: z.ZodType, isPatch: boolean): Break[] {
  return inputSchemas(contract).flatMap((schema) => {
    const valid = validValue(schema);
    return positionsOf({ path: [], schema, isRequired: true }).flatMap((position) =>
      wrongsAt(position, isPatch).flatMap(({ title, constraint, value, under, isHidden }): Break[] => {
        const path = under === undefined ? position.path : [...position.path, under];
        if (!isWithin(valid, path)) return [];
        // As long as a response shows it.
        const field = path.join('.').slice(0, 200);
        const body = withValue(valid, path, value);
        return [{ title: `${field} ${title}`, field, constraint, body, ...(isHidden ? { isHidden } : {}) }];
      }),
    );
  });
}

/** Whether the value has what is around the path: examples leave parts out. */
const isWithin = (valid: Json, path: readonly string[]): boolean =>
  path.slice(0, -1).reduce((value: Json, name) => value?.[name], valid) != null || path.length === 0;

/** Valid bodies of the contract, with all their fields. */
export const validBodies = (contract: z.ZodType): Json[] => inputSchemas(contract).map(validValue);

function positionsOf(position: Position): Position[] {
  const { path, schema } = position;
  const { properties, items, additionalProperties, required = [] } = schema;
  const below = Object.entries(properties ?? {}).map(
    ([name, inner]) => [name, inner, required.includes(name)] as const,
  );
  const item = items ? [['0', items, true] as const] : [];
  const entry =
    typeof additionalProperties === 'object' && !properties ? [[entryName, additionalProperties, true] as const] : [];
  const inner = [...below, ...item, ...entry].flatMap(([name, innerSchema, isRequired]) =>
    positionsOf({ path: [...path, name], schema: nullable(innerSchema), isRequired }),
  );
  return [position, ...inner];
}

/** The schema itself, without the null that is accepted as the default. */
function nullable(schema: JsonSchema): JsonSchema {
  const inner = withoutNull(schema);
  return takesNull(schema) ? { ...inner, default: null } : inner;
}

function wrongsAt({ path, schema, isRequired }: Position, isPatch: boolean): Wrong[] {
  const isField = path.length > 0;
  const isItem = path.at(-1) === '0' || path.at(-1) === entryName;
  // A patch replaces a list as a whole.
  const isWithinItem = path.slice(0, -1).includes('0');
  const isOpaque = schema.type === undefined && schema.enum === undefined && schema.const === undefined;
  if (isOpaque) return [];
  return [
    ...(isField && isRequired && !isItem
      ? [{ title: 'is missing', constraint: 'required' as const, value: absent }]
      : []),
    ...(isField && (isRequired || (isPatch && !isWithinItem)) && schema.default !== null
      ? [{ title: 'is null', constraint: 'required' as const, value: null }]
      : []),
    ...(isField ? wrongTypes(schema) : []),
    ...wrongTexts(schema),
    ...wrongNumbers(schema),
    ...wrongLists(schema),
    ...wrongObjects(schema),
  ];
}

const ofType: Record<string, Json> = { string: 'no', integer: 7, boolean: true, array: [1], object: { a: 1 } };

function wrongTypes(schema: JsonSchema): Wrong[] {
  const constraint = schema.enum || schema.const !== undefined ? 'enum' : 'type';
  const own = schema.type === 'number' ? 'integer' : schema.type;
  const others = Object.entries(ofType).filter(([type]) => type !== own);
  const wrongs: Wrong[] = others.map(([type, value]) => ({ title: `is of type ${type}`, constraint, value }));
  if (schema.type === 'integer')
    wrongs.push({ title: 'has a fraction', constraint, value: (schema.minimum ?? 0) + 0.5 });
  return wrongs;
}

function wrongTexts({ type, enum: words, const: only, minLength, maxLength, pattern, format }: JsonSchema): Wrong[] {
  if (type !== 'string') return [];
  if (words || only !== undefined) return [{ title: 'is another word', constraint: 'enum', value: 'no such word' }];
  const wrongs: Wrong[] = [];
  if (minLength === 1) wrongs.push({ title: 'is empty', constraint: 'required', value: '' });
  if (minLength === 1) wrongs.push({ title: 'is blank', constraint: 'required', value: ' \t', isHidden: true });
  if (minLength && minLength > 1)
    wrongs.push({ title: 'is too short', constraint: 'min_length', value: 'x'.repeat(minLength - 1) });
  if (maxLength !== undefined)
    wrongs.push({ title: 'is too long', constraint: 'max_length', value: 'x'.repeat(maxLength + 1) });
  // What is no address at all is reported first.
  if (pattern && format !== 'uri')
    wrongs.push({ title: 'does not match', constraint: 'pattern', value: unlike(pattern) });
  else if (format) wrongs.push({ title: 'has another form', constraint: 'format', value: 'no such form' });
  return wrongs;
}

function unlike(pattern: string): string {
  const found = ['!', '-', ' ', 'x'].find((text) => !new RegExp(pattern).test(text));
  if (found === undefined) throw new Error(`every text matches ${pattern}`);
  return found;
}

function wrongNumbers({ type, minimum, maximum }: JsonSchema): Wrong[] {
  if (type !== 'integer' && type !== 'number') return [];
  const wrongs: Wrong[] = [];
  if (minimum !== undefined) wrongs.push({ title: 'is too small', constraint: 'min', value: minimum - 1 });
  if (maximum !== undefined) wrongs.push({ title: 'is too large', constraint: 'max', value: maximum + 1 });
  return wrongs;
}

function wrongLists({ type, items, minItems, maxItems }: JsonSchema): Wrong[] {
  if (type !== 'array') return [];
  const listOf = (length: number) => Array.from({ length }, () => validValue(items ?? {}));
  const wrongs: Wrong[] = [];
  if (minItems) wrongs.push({ title: 'has too few items', constraint: 'min_length', value: listOf(minItems - 1) });
  // A list without a bound is broken by none, and so fails its test.
  wrongs.push({ title: 'has too many items', constraint: 'max_length', value: listOf((maxItems ?? 5_000) + 1) });
  return wrongs;
}

function wrongObjects({ type, properties, additionalProperties, propertyNames }: JsonSchema): Wrong[] {
  if (type !== 'object') return [];
  if (properties) return [{ title: 'is not known', constraint: 'unknown_field', under: 'surprise', value: 1 }];
  const value = validValue(typeof additionalProperties === 'object' ? firstOf(additionalProperties) : {});
  const isFree = typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0;
  const large = isFree ? { text: 'x'.repeat(70_000) } : entries(1_000, value);
  const wrongs: Wrong[] = [{ title: 'is too large', constraint: isFree ? 'max_size' : 'max_length', value: large }];
  const { minLength, maxLength } = propertyNames ?? {};
  if (minLength) wrongs.push({ title: 'has an empty name', constraint: 'required', under: '', value });
  if (maxLength !== undefined)
    wrongs.push({ title: 'has a long name', constraint: 'max_length', under: 'x'.repeat(maxLength + 1), value });
  return wrongs;
}

/** Any branch of a choice will do. */
const firstOf = (schema: JsonSchema): JsonSchema => schema.anyOf?.[0] ?? schema;

const entries = (count: number, value: Json) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`w${n}`, value]));

function withValue(valid: Json, path: readonly string[], value: unknown): Json {
  const copy = structuredClone(valid) as Json;
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const last = path.at(-1) ?? '';
  if (value === absent) delete parent[last];
  else parent[last] = value;
  return copy;
}

export { withValue as replacedAt };
