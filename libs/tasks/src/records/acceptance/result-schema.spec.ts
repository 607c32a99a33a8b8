import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertResultSchema, assertUsableSchema, misfitsOf } from './result-schema.ts';

const tenantId = 'tnt_1';
/** As the service does it: first the static check, then the check by compiling. */
async function check(schema: Record<string, unknown>, ofTenant = tenantId): Promise<void> {
  assertResultSchema(schema);
  await assertUsableSchema(ofTenant, schema);
}
const at = (path: string) => `contract.result_schema${path}`;

/** 2^n evaluations of the last one. */
const explosion = {
  $ref: '#/$defs/s0',
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `s${n}`,
      n === 59 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
    ]),
  ),
};

const objects = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}]));
const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });

describe('a result schema', () => {
  it.each([
    {},
    { type: 'object', required: ['sha'], properties: { sha: { type: 'string', maxLength: 40 } } },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { a: { type: 'integer' } }, $ref: '#/$defs/a' },
    { properties: { pattern: { type: 'string' }, $ref: { type: 'string' } }, required: ['pattern'] },
    { const: { pattern: '(a+)+$' }, examples: [{ $ref: 'https://example.com' }] },
    { type: 'object', properties: { next: { $ref: '#' } } },
    { 'x-note': 'unknown keywords are annotations', format: 'date' },
  ])('may be %j', async (schema) => {
    await expect(check(schema)).resolves.toBeUndefined();
  });

  it.each([
    [{ pattern: 'a' }, '.pattern', 'unknown_field'],
    [{ properties: { a: { pattern: 'a' } } }, '.properties.a.pattern', 'unknown_field'],
    [{ allOf: [{ patternProperties: {} }] }, '.allOf.0.patternProperties', 'unknown_field'],
    [{ $async: true }, '.$async', 'unknown_field'],
    [{ items: { $ref: 'https://example.com/a' } }, '.items.$ref', 'format'],
    [{ $dynamicRef: 'a#b' }, '.$dynamicRef', 'format'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '.$schema', 'enum'],
    [{ type: 'song' }, '.type', 'format'],
    [{ properties: { a: { minimum: 'one' } } }, '.properties.a.minimum', 'format'],
    [{ $ref: '#/$defs/none' }, '', 'format'],
  ])('must not be %j', async (schema, path, constraint) => {
    const violations = [{ field: at(path), constraint }];
    await expect(check(schema)).rejects.toMatchObject({ code: 'invalid_input', violations });
  });

  it.each([
    ['more objects than are compiled', { properties: objects(1_001) }, 'max_size'],
    ['more levels', { default: nested(25) }, 'max_size'],
    ['a longer list', { enum: Array.from({ length: 501 }, (_, n) => n) }, 'max_size'],
  ])('must not have %s, wherever in it', (_, schema, constraint) => {
    expect(() => assertResultSchema(schema)).toThrow(
      expect.objectContaining({ code: 'invalid_input', violations: [expect.objectContaining({ constraint })] }),
    );
  });

  it('never crashes the checker, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('$ref', 'type', 'properties', 'allOf', 'a'), fc.jsonValue()),
        async (one) => {
          const error: unknown = await check(one as Record<string, unknown>).catch((thrown: unknown) => thrown);
          if (error !== undefined) expect(error).toBeInstanceOf(AppError);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a result that does not match its schema', () => {
  const schema = {
    type: 'object',
    required: ['sha', 'files'],
    properties: { sha: { type: 'string' }, files: { type: 'array', items: { type: 'integer' } } },
    additionalProperties: false,
  };

  it('is named path by path', async () => {
    await expect(misfitsOf(tenantId, schema, { sha: 'a', files: [1] })).resolves.toEqual({ paths: [] });
    await expect(misfitsOf(tenantId, schema, { files: [1, 'b'], more: 1 })).resolves.toEqual({
      paths: ['result.sha', 'result.more', 'result.files.1'],
    });
  });

  it('does not apply patterns, even behind a reference', async () => {
    const hidden = { properties: { a: { $ref: '#/default' } }, default: { pattern: '^(a+)+$' } };
    await expect(misfitsOf(tenantId, hidden, { a: `${'a'.repeat(40)}b` })).resolves.toEqual({ paths: [] });
  });

  it('is rejected if its schema refers to itself endlessly', async () => {
    const endless = { allOf: [{ $ref: '#' }] };
    await expect(check(endless)).resolves.toBeUndefined();
    await expect(misfitsOf(tenantId, endless, {})).resolves.toEqual({ paths: ['result'] });
  });

  it('is rejected if it takes too long to check, and no other check waits for it', async () => {
    const slow = Promise.all([
      misfitsOf(tenantId, explosion, {}),
      misfitsOf(
        tenantId,
        { uniqueItems: true },
        Array.from({ length: 30_000 }, (_, n) => [n]),
      ),
    ]);
    const ended: string[] = [];
    void slow.then(() => ended.push('slow'));
    await check({ title: 'of another tenant' }, 'tnt_2');
    expect(ended).toEqual([]);
    const reason = expect.stringContaining('processor time') as unknown;
    await expect(slow).resolves.toEqual([
      { paths: ['result'], reason },
      { paths: ['result'], reason },
    ]);
  });
});
