import { unnamedMetadata } from '@eas/contracts';
import { z } from 'zod';

/** The part of a JSON Schema that is read or changed here. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  example?: unknown;
  default?: unknown;
  readOnly?: boolean;
  /** Of several forms the document has the first: some generators make broken code of lists among them. */
  showsFirst?: boolean;
  /** The document has any value, and the description says which, for the same reason. */
  showsAny?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  /** Name of a schema all of whose properties this one has. */
  base?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
};

/** A schema with the named schemas that it refers to; the schema itself may be such a reference. */
export type PrintedSchema = { schema: JsonSchema; named: Record<string, JsonSchema> };

export const schemaPath = '#/components/schemas/';
export const nameOf = ({ $ref }: JsonSchema): string | undefined => $ref?.slice(schemaPath.length);

/** Prints what a client writes: before defaults and transformations. Schemas with an id are named by it. */
export function printSchema(schema: z.ZodType): PrintedSchema {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: tidy as never });
  const { $schema: _, $defs: named = {}, ...root } = withRefs(printed, schemaPath) as Printed;
  const unnamed = Object.keys(named).find((name) => name.startsWith('__'));
  if (unnamed) throw new Error('a schema that contains itself needs an id');
  for (const part of Object.values(named)) describeDefaults(part, named);
  return { schema: root, named };
}

/** As text: generators read the keyword as a guarantee that the property is always present, and require it. */
function describeDefaults(schema: JsonSchema, named: Record<string, JsonSchema>): void {
  for (const property of Object.values(schema.properties ?? {})) {
    const { default: value, description = named[nameOf(property) ?? '']?.description ?? '' } = property;
    delete property.default;
    if (value === undefined || value === null || description.includes('Default:')) continue;
    property.description = `${description} Default: ${wordsOf(value)}.`.trim();
  }
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return `\`${value}\``;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? 'empty' : `\`${JSON.stringify(value)}\``;
}

type Printed = JsonSchema & { $schema?: string; $defs?: Record<string, JsonSchema> };

function withRefs(printed: object, path: string): unknown {
  return JSON.parse(JSON.stringify(printed).replaceAll('"#/$defs/', `"${path}`));
}

type Override = { zodSchema: z.ZodType; jsonSchema: JsonSchema };

/** The input of a tool, for clients that only know the basic keywords. */
export function printArguments(schema: z.ZodType): JsonSchema {
  const override = ({ jsonSchema }: Override) => {
    shorten(jsonSchema);
    delete jsonSchema.propertyNames;
  };
  const options = {
    io: 'input',
    unrepresentable: 'any',
    metadata: unnamedMetadata,
    override: override as never,
  } as const;
  const { $schema: _, ...printed } = z.toJSONSchema(schema, options) as Printed;
  return printed;
}

/** Shortens what Zod prints, and adds what generators of clients use. */
function tidy({ zodSchema, jsonSchema }: Override): void {
  const meta = z.globalRegistry.get(zodSchema);
  // Zod leaves defaults out where a value is transformed.
  if (meta && 'default' in meta) jsonSchema.default = meta['default'];
  // Generators of clients take no object as a default.
  if (JSON.stringify(jsonSchema.default) === '{}') delete jsonSchema.default;
  shorten(jsonSchema);
  if (jsonSchema.showsFirst) showFirst(jsonSchema);
  if (jsonSchema.showsAny) delete jsonSchema.anyOf;
  delete jsonSchema.showsAny;
  if (zodSchema instanceof z.ZodDiscriminatedUnion) jsonSchema.discriminator = discriminatorOf(zodSchema, jsonSchema);
}

function showFirst(jsonSchema: JsonSchema): void {
  const { anyOf: [first = {}] = [], ...own } = jsonSchema;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, first, own);
  delete jsonSchema.showsFirst;
}

/** The same in fewer words, and in keywords that all readers know. */
function shorten(jsonSchema: JsonSchema): void {
  mergeNull(jsonSchema);
  // The format says it; the pattern of Zod has 300 characters.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // A number that is read from text keeps the bound of the text.
  if (jsonSchema.type === 'integer') delete jsonSchema.maxLength;
  if (!jsonSchema.propertyNames?.pattern) delete jsonSchema.propertyNames;
  if ('const' in jsonSchema) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
}

/** `anyOf` of a plain type and null becomes one type with null. A reference has to stay in `anyOf`. */
function mergeNull(json: JsonSchema): void {
  const [value, nothing, ...more] = json.anyOf ?? [];
  if (!value || nothing?.type !== 'null' || more.length > 0) return;
  if (value.type === undefined && json.type === undefined) return;
  // Generators of clients do not support an enum of true and null.
  if (value.enum?.includes(true)) return;
  const { anyOf: _, ...own } = json;
  delete json.anyOf;
  Object.assign(json, value, own, { type: [...new Set([value.type ?? own.type, 'null'].flat())] });
  if (json.enum && !json.enum.includes(null)) json.enum = [...json.enum, null];
}

/** By which an option is chosen. */
function wordsFor(property: z.core.$ZodType | undefined): string[] {
  if (property instanceof z.ZodLiteral) return [...property.values].map(String);
  if (property instanceof z.ZodEnum) return property.options.map(String);
  throw new Error('a discriminator is a literal or an enum');
}

function discriminatorOf({ def, options }: z.ZodDiscriminatedUnion, { oneOf = [] }: JsonSchema) {
  const propertyName = (def as { discriminator: string }).discriminator;
  const entries = (options as z.ZodObject[]).flatMap((option, index) =>
    wordsFor(option.shape[propertyName]).map((word) => [word, oneOf[index]?.$ref] as const),
  );
  if (entries.some(([, ref]) => ref === undefined)) return { propertyName };
  return { propertyName, mapping: Object.fromEntries(entries) as Record<string, string> };
}
