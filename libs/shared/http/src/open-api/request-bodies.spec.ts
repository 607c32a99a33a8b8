import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { printOpenApi } from './open-api.ts';

const shape = {
  title: z.string().max(10),
  size: z.int().optional(),
  grade: z.enum(['low', 'high']).default('low'),
  inner: z.object({ name: z.string(), note: z.string().optional() }).optional(),
  list: z.array(z.object({ note: z.string().optional() })),
};
const common = { tags: ['T'], access: { scope: 'tasks:read' }, errors: [], summary: 's' } as const;
const responses = { 200: { description: 'd', schema: z.object({ inner: shape.inner }) } } as const;
const handler = async () => ({ status: 200, body: {} }) as const;
const { grade: _grade, ...withoutDefaults } = shape;
const route = (method: 'POST' | 'PATCH', body: z.ZodType) =>
  defineRoute({
    ...common,
    operationId: method,
    method,
    path: '/v1/things',
    body,
    readOnly: ['id', 'title'],
    responses,
    handler,
  });
const query = z.object({ a: z.string().max(500).optional() });
const list = defineRoute({
  ...common,
  operationId: 'list',
  method: 'GET',
  path: '/v1/things',
  query,
  responses,
  handler,
});

const document: unknown = printOpenApi(
  [route('POST', z.object(shape)), route('PATCH', z.object(withoutDefaults)), list],
  { title: 't', version: '1' },
);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is walked freely here
const printed = JSON.parse(JSON.stringify(document)) as any;
const bodyOf = (method: string) => printed.paths['/v1/things'][method].requestBody.content['application/json'].schema;

describe('a printed body', () => {
  it('says in words which value an absent field of a named body has: generators would require the field', () => {
    const body = z
      .object({ grade: z.enum(['low', 'high']).default('low').describe('How good.') })
      .meta({ id: 'Grade' });
    const make = defineRoute({
      ...common,
      operationId: 'grade',
      method: 'POST',
      path: '/v1/x',
      body,
      responses,
      handler,
    });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is walked freely here
    const { schemas } = printOpenApi([make], { title: 't', version: '1' }).components as any;
    expect(schemas.Grade.properties.grade).toMatchObject({ description: 'How good. Default: `low`.' });
    expect(schemas.Grade.properties.grade).not.toHaveProperty('default');
  });

  it('gives a named part another name where null is as good as absent in it', () => {
    const part = z.object({ note: z.string().max(9).optional() }).meta({ id: 'Part' });
    const same = z.object({ note: z.string().max(9) }).meta({ id: 'Same' });
    const body = z.object({ part: part.optional(), parts: z.array(part), same }).meta({ id: 'MakeThing' });
    const response = { 200: { description: 'd', schema: z.object({ part, same }).meta({ id: 'Thing' }) } } as const;
    const make = defineRoute({
      ...common,
      operationId: 'makeThing',
      method: 'POST',
      path: '/v1/x',
      body,
      responses: response,
      handler: async () => ({ status: 200, body: { part: {}, same: { note: '' } } }),
    });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is walked freely here
    const { schemas } = printOpenApi([make], { title: 't', version: '1' }).components as any;
    const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(schemas.MakeThing.properties).toEqual({
      part: { anyOf: [refTo('PartInput'), { type: 'null' }] },
      parts: { type: 'array', items: refTo('PartInput') },
      same: refTo('Same'),
    });
    expect([schemas.PartInput.properties.note.type, schemas.Part.properties.note.type]).toEqual([
      ['string', 'null'],
      'string',
    ]);
  });

  it('refuses unknown fields, and has those that are accepted and ignored', () => {
    for (const method of ['post', 'patch']) {
      expect(bodyOf(method).additionalProperties).toBe(false);
      expect(bodyOf(method).properties.id).toEqual({ $ref: '#/components/schemas/ReadOnlyField' });
      expect(printed.components.schemas.ReadOnlyField).toMatchObject({ readOnly: true });
      expect(bodyOf(method).properties.title).toMatchObject({ type: 'string', maxLength: 10 });
    }
  });

  it('marks each optional field of a POST as nullable, where null means absent', () => {
    const { title, size, grade, inner, list: items } = bodyOf('post').properties;
    expect([title.type, size.type, grade.type]).toEqual(['string', ['integer', 'null'], ['string', 'null']]);
    expect(grade.enum).toEqual(['low', 'high', null]);
    expect([inner.type, inner.properties.name.type, inner.properties.note.type]).toEqual([
      ['object', 'null'],
      'string',
      ['string', 'null'],
    ]);
    expect(items.items.properties.note.type).toEqual(['string', 'null']);
    expect(bodyOf('patch').properties.size.type).toBe('integer');
    const response = printed.paths['/v1/things'].post.responses['200'].content['application/json'].schema;
    expect(response.properties.inner.type).toBe('object');
  });
});

it('a route with a query documents that headers can be too large, for its filters may be so together', () => {
  const { responses: results } = printed.paths['/v1/things'].get;
  expect(Object.keys(results)).toContain('431');
  expect(results['431']).toEqual({ $ref: '#/components/responses/HeadersTooLarge' });
  expect(Object.keys(printed.components.responses.HeadersTooLarge.headers)).toEqual(['X-Request-Id']);
});
