import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import type { Components } from './components.ts';
import { type JsonSchema, nameOf, type PrintedSchema, printSchema, schemaPath } from './json-schema.ts';

const readOnlyField: JsonSchema = {
  readOnly: true,
  description:
    'A field of the resource that you cannot set. It is accepted and ignored, so that you can send back what you read.',
};

export function requestBodyOf(route: Route, body: z.ZodType, components: Components) {
  const printed = printSchema(body);
  const posted = withNulls(printed, route.method === 'PATCH');
  const root = posted.named[nameOf(posted.schema) ?? ''] ?? posted.schema;
  if (isClosed(body)) {
    const fields = route.readOnly.filter((name) => !root.properties?.[name]);
    const ignored = fields.length > 0 ? components.add('schemas', 'ReadOnlyField', readOnlyField) : {};
    root.properties = { ...root.properties, ...Object.fromEntries(fields.map((name) => [name, ignored])) };
    // Fields that are not named are refused.
    root.additionalProperties = false;
  }
  const content = { schema: components.keep(posted), ...components.exampleOf(body) };
  return {
    required: !body.safeParse({}).success,
    content: {
      'application/json': content,
      // A PATCH is a merge patch under either name.
      ...(route.method === 'PATCH' ? { 'application/merge-patch+json': content } : {}),
    },
  };
}

const isClosed = (body: z.ZodType): boolean =>
  body instanceof z.ZodObject && (!body.def.catchall || body.def.catchall instanceof z.ZodNever);

/**
 * Marks every optional field as nullable, where null means absent: not in a patch, but in the items of its lists.
 * Fields of several forms are unchanged, since the reader does not check their inside either. A named schema that
 * differs from the one in responses gets a name of its own.
 */
function withNulls(printed: PrintedSchema, isPatch: boolean): PrintedSchema {
  const { schema, named } = structuredClone(printed);
  allowIn(schema, { named, seen: new Set(), isPatch });
  const changed = changedNames(printed.named, named);
  const rename = (name: string): string =>
    changed.has(name) && name !== nameOf(schema) && !name.endsWith('Input') ? `${name}Input` : name;
  const renamed = JSON.parse(
    JSON.stringify({ schema, named }).replace(/"#\/components\/schemas\/(\w+)"/g, (_, name: string) =>
      JSON.stringify(schemaPath + rename(name)),
    ),
  ) as PrintedSchema;
  const parts = Object.entries(renamed.named).map(([name, part]) => [rename(name), part]);
  return { schema: renamed.schema, named: Object.fromEntries(parts) as Record<string, JsonSchema> };
}

type Allowing = { named: Record<string, JsonSchema>; seen: Set<JsonSchema>; isPatch: boolean };

function allowIn(schema: JsonSchema, allowing: Allowing): void {
  const { named, seen, isPatch } = allowing;
  if (seen.has(schema)) return;
  seen.add(schema);
  const target = named[nameOf(schema) ?? ''];
  if (target) return allowIn(target, allowing);
  const { properties = {}, required = [], items, additionalProperties } = schema;
  for (const [name, field] of Object.entries(properties)) {
    allowIn(field, allowing);
    if (!isPatch && !required.includes(name)) addNull(field);
  }
  if (items) allowIn(items, { ...allowing, isPatch: false });
  if (typeof additionalProperties === 'object') allowIn(additionalProperties, allowing);
}

function addNull(field: JsonSchema): void {
  if (field.$ref) {
    field.anyOf = [{ $ref: field.$ref }, { type: 'null' }];
    delete field.$ref;
    return;
  }
  if (field.type === undefined) return;
  const types = [field.type].flat();
  if (types.includes('null')) return;
  if (field.enum?.includes(true)) return orNull(field);
  field.type = [...types, 'null'];
  if (field.enum) field.enum = [...field.enum, null];
}

/** Generators of clients do not support an enum of true and null. */
function orNull(field: JsonSchema): void {
  field.anyOf = [{ type: 'boolean', enum: field.enum ?? [] }, { type: 'null' }];
  delete field.type;
  delete field.enum;
}

/** Names of the schemas that differ, or that refer to one that does. */
function changedNames(before: Record<string, JsonSchema>, after: Record<string, JsonSchema>): Set<string> {
  const texts = new Map(Object.entries(after).map(([name, part]) => [name, JSON.stringify(part)]));
  const changed = new Set([...texts].filter(([name, text]) => text !== JSON.stringify(before[name])).map(([n]) => n));
  for (let size = -1; size !== changed.size;) {
    size = changed.size;
    for (const [name, text] of texts)
      if ([...changed].some((other) => text.includes(`"${schemaPath}${other}"`))) changed.add(name);
  }
  return changed;
}
