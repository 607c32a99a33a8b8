import { unnamedMetadata } from '@eas/contracts';
import { z } from 'zod';

/** The parts of JSON Schema that contracts print. */
export type JsonSchema = {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: string[];
  const?: unknown;
  format?: string;
  pattern?: string;
  example?: unknown;
  default?: unknown;
} & Partial<Record<'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum', number>>;

/** Bodies whose fields depend on each other: their whole examples are needed. */
const dependent = ['AskInput', 'ChangeUser', 'ChangeWorkflow', 'CreateBudget', 'CreateUser'];

/** What a contract says of its input: the objects that it takes, one for each kind of a discriminated union. */
export function inputSchemas(contract: z.ZodType): JsonSchema[] {
  const schema = z.toJSONSchema(contract, {
    io: 'input',
    unrepresentable: 'any',
    metadata: unnamedMetadata,
  }) as JsonSchema;
  if (!dependent.includes(z.globalRegistry.get(contract)?.id ?? '')) delete schema.example;
  return schema.oneOf ?? [schema];
}

/** The schema without the null that it may also take. Of a real choice nothing is known. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (!branches) return schema;
  const [only] = branches;
  return branches.length === 1 && only ? { ...schema, anyOf: undefined, ...only } : {};
}

export const takesNull = (schema: JsonSchema): boolean => schema.anyOf?.some(({ type }) => type === 'null') ?? false;
