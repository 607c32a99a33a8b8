import { statSync } from 'node:fs';
import { join } from 'node:path';
import { schemaErrors } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../app.ts';
import type { RouteParts } from '../routes/index.ts';

// Only the descriptions of routes are read; no handler is called.
const notCalled: object = new Proxy({}, { get: () => notCalled });
const address = 'http://127.0.0.1:3000';
const parts = new Proxy({}, { get: (_, name) => (name === 'baseUrl' ? address : notCalled) }) as RouteParts;

type Schema = {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
} & Partial<Record<'allOf' | 'anyOf' | 'oneOf', Schema[]>>;
type Content = Record<string, { schema: Schema; examples?: Record<string, { $ref?: string; value?: unknown }> }>;
type Part = { $ref?: string; content?: Content; description?: string };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Part[];
  requestBody?: Part;
  responses: Record<string, Part>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
};

const document = JSON.parse(JSON.stringify(openApiDocument(parts, address))) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const schemas = Object.entries(document.components.schemas);

/** The target of a reference. */
function found<T extends { $ref?: string }>(part: T): T {
  const names = part.$ref?.split('/').slice(1) ?? [];
  return names.length === 0 ? part : (names.reduce<unknown>((at, name) => (at as never)[name], document) as T);
}

/** Bodies of the operation that are JSON, and not errors. */
function bodiesOf({ requestBody = {}, responses }: Operation): Content[string][] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [requestBody, ...successes.map(([, response]) => found(response))]
    .map(({ content }) => content?.['application/json'])
    .filter((body) => body !== undefined);
}

const verbs =
  'acknowledge add answer approve archive ask attach cancel change claim comment complete count create delete disable drain enable export fail follow get hand introspect list pause pull register reject release renew replay report request resend resume retry revoke rotate save send sign start suspend stop test unarchive validate';
const verbFirst = new RegExp(`^(${verbs.replaceAll(' ', '|')})(?=[A-Z])[A-Za-z]+$`);

describe.each(operations.map((operation) => [operation.operationId, operation] as const))('%s', (id, operation) => {
  it('is a verb, and the only operation of this name', () => {
    expect(id).toMatch(verbFirst);
    expect(operations.filter(({ operationId }) => operationId === id)).toHaveLength(1);
  });

  it('has a short summary, a description and described parameters', () => {
    expect(operation.summary).toMatch(/^[A-Z][^.:;]{3,40}$/);
    // Next to the paragraph on scopes.
    expect(operation.description.split('\n\n').length).toBeGreaterThan(1);
    expect((operation.parameters ?? []).map(found).filter(({ description }) => !description)).toEqual([]);
  });

  it('has named bodies, with an example that fits', () => expectExamples(operation));
});

it.each(Object.entries(document.webhooks))(
  'the event %s has a named payload, with an example that fits',
  (_, { post }) => expectExamples(post),
);

function expectExamples(operation: Operation): void {
  for (const { schema, examples = {} } of bodiesOf(operation)) {
    expect(schema.$ref).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(Object.keys(examples)).toEqual(['example']);
    const components = { schemas: schemasUnder(schema) };
    for (const example of Object.values(examples))
      expect(schemaErrors({ components }, schema, found(example).value)).toEqual([]);
  }
}

/** The schemas that one refers to: reading all of them for each example takes long. */
function schemasUnder(schema: Schema, known: Record<string, Schema> = {}): Record<string, Schema> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    if (!known[name]) schemasUnder((known[name] = document.components.schemas[name] ?? {}), known);
  return known;
}

describe.each(schemas)('the schema %s', (_, schema) => {
  it('is described, with all of its properties', () => {
    expect(schema.description).toBeTruthy();
    expect(propertiesIn(schema).filter(([, { description, $ref, anyOf }]) => !description && !$ref && !anyOf)).toEqual(
      [],
    );
  });

  it('has no object of its own in a property: objects have names', () => {
    const inner = propertiesIn(schema).flatMap(([name, property]) =>
      [property, property.items].map((one) => [name, one]),
    );
    expect(inner.filter(([, one]) => (one as Schema | undefined)?.properties)).toEqual([]);
  });
});

/** Properties of the schema and of what it is put together from. */
function propertiesIn({ properties = {}, allOf = [], anyOf = [], oneOf = [] }: Schema): [string, Schema][] {
  return [...Object.entries(properties), ...[...allOf, ...anyOf, ...oneOf].flatMap(propertiesIn)];
}

/** Bytes: what people and tools can still load at once. */
const maxServedBytes = 1_000_000;
/** With its indentation. */
const maxFileBytes = 1_150_000;

it('the document is small enough to load at once, as served and as kept in the repository', () => {
  expect(JSON.stringify(document).length).toBeLessThan(maxServedBytes);
  const file = join(import.meta.dirname, '../../../../docs/openapi.json');
  expect(statSync(file).size).toBeLessThan(maxFileBytes);
});
