import { z } from 'zod';
import { type JsonSchema, type PrintedSchema, printSchema, schemaPath } from './json-schema.ts';

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples';
export type Ref = { $ref: string };

/** Shared parts of operations, each once under its name. Contains only parts that are referred to. */
export class Components {
  private readonly parts: Record<Kind, Map<string, unknown>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    headers: new Map(),
    examples: new Map(),
  };

  private readonly printed = new Map<z.ZodType, JsonSchema>();

  /**
   * The used names, in the form that generators make of them: they do not distinguish `Limit` from `limit`, or
   * `AgentId` from `agent_id`.
   */
  private readonly taken = new Map<string, string>();

  /** Stores a part and returns a reference to it. Throws when another part has the name. */
  add(kind: Kind, name: string, part: unknown): Ref {
    const ref = this.tryAdd(kind, name, part);
    if (!ref) throw new Error(`two ${kind} are named ${name}, or differ in case and separators alone`);
    return ref;
  }

  /** The same, or undefined when another part has the name. */
  tryAdd(kind: Kind, name: string, part: unknown): Ref | undefined {
    const known = this.parts[kind].get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part)) return undefined;
    const plain = `${kind} ${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`;
    if ((this.taken.get(plain) ?? name) !== name) return undefined;
    this.taken.set(plain, name);
    this.parts[kind].set(name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Printed once: the error of all operations alone is asked for some hundred times. */
  schemaOf(schema: z.ZodType): JsonSchema {
    const printed = this.printed.get(schema) ?? this.keep(printSchema(schema));
    this.printed.set(schema, printed);
    return structuredClone(printed);
  }

  keep({ schema, named }: PrintedSchema): JsonSchema {
    for (const [name, { example, ...part }] of Object.entries(named))
      // Whole objects are shown with the operations; examples of single values stay where they are.
      this.add('schemas', name, isObject(example) || example === undefined ? part : { ...part, example });
    return schema;
  }

  /** The schema as a media type shows it: with its whole example. */
  mediaType(schema: z.ZodType, own?: unknown) {
    const shown = { schema: this.schemaOf(schema) };
    return own === undefined
      ? { ...shown, ...this.exampleOf(schema) }
      : { ...shown, examples: { example: { value: own } } };
  }

  /** The whole example of a named schema, kept here; nothing where it has none. */
  exampleOf(schema: z.ZodType): { examples?: { example: Ref } } {
    const { id, example } = z.globalRegistry.get(schema) ?? {};
    if (!id || example === undefined) return {};
    return { examples: { example: this.add('examples', id, { value: example }) } };
  }

  toObject(): Record<string, Record<string, unknown>> {
    const full = this.parts.schemas as Map<string, JsonSchema>;
    const schemas = new Map([...full].map(([name, schema]) => [name, extending(schema, full)]));
    const kinds = Object.entries({ ...this.parts, schemas }).filter(([, parts]) => parts.size > 0);
    return Object.fromEntries(kinds.map(([kind, parts]) => [kind, Object.fromEntries([...parts].toSorted(byName))]));
  }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Repeats nullable properties of the base: OpenAPI Generator loses that they may be null. */
const mayBeNull = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type].flat().includes('null') || anyOf.some((one) => one.type === 'null');

/** The schema as its base and its additional properties; whole if nothing else uses the base. */
function extending({ base = '', ...schema }: JsonSchema, all: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const known = all.get(base);
  if (!known) return schema;
  const { type, description, properties = {}, required = [] } = schema;
  const own = Object.entries(properties).filter(
    ([name, property]) => mayBeNull(property) || JSON.stringify(property) !== JSON.stringify(known.properties?.[name]),
  );
  const ownRequired = required.filter((name) => !known.required?.includes(name));
  const extension = {
    type: type ?? 'object',
    properties: Object.fromEntries(own),
    ...(ownRequired.length > 0 ? { required: ownRequired } : {}),
  };
  return { ...(description ? { description } : {}), allOf: [{ $ref: schemaPath + base }, extension] };
}
