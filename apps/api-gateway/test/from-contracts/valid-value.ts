import type { Json } from '../gateway.ts';
import { type JsonSchema, withoutNull } from './json-schema.ts';

const formats: Record<string, string> = { 'date-time': '2027-01-01T00:00:00Z', uri: 'https://example.com/path' };
/** Texts of the usual shapes; the first that fits a schema is taken. */
const texts = [
  'a',
  'rd',
  '1h',
  '2026-01',
  'task.created',
  'ab@example.com',
  'https://example.com/path',
  'a'.repeat(12),
  'a'.repeat(64),
];

/** The least value with every field that the schema has: small numbers, short texts, one item in each list. */
export function validValue(schemaOrNull: JsonSchema): Json {
  const schema = withoutNull(schemaOrNull);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'string':
      return validText(schema);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => validValue(schema.items ?? {}));
    case 'object':
      return validObject(schema);
    default:
      return schema.example ?? { any: ['thing'] };
  }
}

/** Where fields depend on each other, the schema has an example. */
function validObject({ example, properties, additionalProperties }: JsonSchema): Json {
  if (example) return structuredClone(example);
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, validValue(schema)]));
  return { [entryName]: validValue(typeof additionalProperties === 'object' ? additionalProperties : {}) };
}

/** Name of the one entry that a valid object of free names has. */
export const entryName = 'key';

function validText({ format, example, pattern, minLength = 0, maxLength = Infinity }: JsonSchema): string {
  if (typeof example === 'string') return example;
  const known = format && formats[format];
  if (known) return known;
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern).test(text));
  const found = texts.find(fits);
  if (found === undefined)
    throw new Error(`no sample fits ${JSON.stringify({ format, pattern, minLength, maxLength })}`);
  return found;
}
