// One keyword after another: does the new schema break users of the old one? Unions are left to the comparison.
import { isDeepStrictEqual } from 'node:util';
import { DESCRIPTIVE, type DocumentReader, type Schema } from './document.ts';

/** `request`: clients send it. `response`: clients read it; payloads of webhooks are read as well. */
export type Direction = 'request' | 'response';

type Pair = { direction: Direction; old: Schema; now: Schema };
export type Rule = (pair: Pair) => string[];

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;
const quote = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const without = (values: readonly unknown[], others: readonly unknown[]): unknown[] =>
  values.filter((value) => !others.some((other) => isDeepStrictEqual(value, other)));

/** The types that a value may have, with `integer` next to each `number`. */
function typesOf(schema: Schema): readonly string[] {
  const values = valuesOf(schema);
  const named = schema.type === undefined ? (values?.map(typeOf) ?? TYPES) : [schema.type].flat();
  const types = named.includes('number') ? [...new Set([...named, 'integer'])] : named;
  return values && !values.includes(null) ? types.filter((type) => type !== 'null') : types;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return Array.isArray(value) ? 'array' : typeof value;
}

const valuesOf = (schema: Schema): readonly unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum);

/** A closed list of words that its description calls open: clients have to expect others. */
export const isOpenList = ({ description = '', ...rest }: Schema): boolean =>
  rest['x-open-enum'] === true || /\blist is open\b|\bnew \w+( of \w+)? can be added\b/i.test(description);

const typeRule: Rule = ({ direction, old, now }) => {
  const [before, after] = [typesOf(old), typesOf(now)];
  const changed = direction === 'request' ? without(before, after) : without(after, before);
  if (changed.length === 0) return [];
  if (after.length === TYPES.length || before.length === TYPES.length)
    return [`the type changed from ${nameTypes(before)} to ${nameTypes(after)}`];
  const words = (changed as string[]).filter((type) => type !== 'integer' || !changed.includes('number')).join(', ');
  return [direction === 'request' ? `${words} is no longer accepted` : `it can now be ${words}`];
};
const nameTypes = (types: readonly string[]): string => (types.length === TYPES.length ? 'any' : types.join(' or '));

const valueRule: Rule = ({ direction, old, now }) => {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  const noNull = (values: readonly unknown[]): unknown[] => without(values, [null]);
  if (direction === 'request') {
    if (!after) return [];
    if (!before) return [`only ${quote(after)} is accepted now`];
    const gone = noNull(without(before, after));
    return gone.length > 0 ? [`${quote(gone)} is no longer accepted`] : [];
  }
  if (!before || isOpenList(old)) return [];
  if (!after) return [`it can now be another value than ${quote(before)}`];
  const added = noNull(without(after, before));
  return added.length > 0 ? [`it can now be ${quote(added)}, and the list was not documented as open`] : [];
};

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Bounds of what clients read may move: they are facts, and raised limits of requests appear there too. */
const boundRule: Rule = ({ direction, old, now }) => {
  if (direction === 'response') return [];
  const tighter = (keyword: string, sign: 1 | -1): boolean => {
    const [before, after] = [old[keyword], now[keyword]];
    return typeof after === 'number' && (typeof before !== 'number' || (after - before) * sign > 0);
  };
  const found = [...LOWER.filter((keyword) => tighter(keyword, 1)), ...UPPER.filter((keyword) => tighter(keyword, -1))];
  return found.map((keyword) => `${keyword} changed from ${String(old[keyword] ?? 'none')} to ${String(now[keyword])}`);
};

/** Keywords that no order compares: any change of what clients send may refuse what was valid. */
const SENT = ['pattern', 'multipleOf', 'uniqueItems', 'not', 'propertyNames', 'patternProperties', 'contentEncoding'];
const sentRule: Rule = ({ direction, old, now }) =>
  SENT.filter(
    (keyword) =>
      direction === 'request' && now[keyword] !== undefined && !isDeepStrictEqual(old[keyword], now[keyword]),
  ).map((keyword) => `${keyword} was ${old[keyword] === undefined ? 'added' : 'changed'}`);

/** Generators map formats to types. */
const formatRule: Rule = ({ old, now }) =>
  old['format'] === now['format']
    ? []
    : [`format changed from ${String(old['format'] ?? 'none')} to ${String(now['format'] ?? 'none')}`];

const defaultRule: Rule = ({ direction, old, now }) =>
  direction === 'request' && 'default' in old && !isDeepStrictEqual(old['default'], now['default'])
    ? [`default changed from ${quote([old['default']])} to ${'default' in now ? quote([now['default']]) : 'none'}`]
    : [];

const readOnlyRule: Rule = ({ direction, old, now }) =>
  direction === 'request' && !old.readOnly && now.readOnly ? ['it is ignored now (readOnly)'] : [];

const requiredRule: Rule = ({ direction, old, now }) => {
  const [before, after] = [old.required ?? [], now.required ?? []];
  if (direction === 'request')
    return after.filter((name) => !before.includes(name)).map((name) => `the field ${name} is required now`);
  return before
    .filter((name) => !after.includes(name) && now.properties?.[name] !== undefined)
    .map((name) => `the field ${name} can now be missing`);
};

const fieldRule: Rule = ({ old, now }) =>
  Object.keys(old.properties ?? {})
    .filter((name) => now.properties?.[name] === undefined)
    .map((name) => `the field ${name} was removed or renamed`);

const closedRule: Rule = ({ direction, old, now }) =>
  direction === 'request' && old.additionalProperties !== false && now.additionalProperties === false
    ? ['unknown fields are refused now']
    : [];

const JUDGED = new Set([
  ...[...DESCRIPTIVE, 'default', 'readOnly', 'writeOnly', 'discriminator', 'type', 'enum', 'const', 'format'],
  ...[...LOWER, ...UPPER, ...SENT, 'required', 'properties', 'additionalProperties', 'items', 'anyOf', 'oneOf'],
]);

/** A false alarm is better than an unchecked keyword. */
const unknownRule: Rule = ({ old, now }) =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((keyword) => !JUDGED.has(keyword) && !keyword.startsWith('x-'))
    .filter((keyword) => !isDeepStrictEqual(old[keyword], now[keyword]))
    .map((keyword) => `${keyword} changed, and tools/compatibility/schema-rules.ts cannot judge that keyword`);

export const RULES: readonly Rule[] = [
  typeRule,
  valueRule,
  boundRule,
  sentRule,
  formatRule,
  defaultRule,
  readOnlyRule,
  requiredRule,
  fieldRule,
  closedRule,
  unknownRule,
];
export type Readers = { old: DocumentReader; now: DocumentReader };
