import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertResultSchema, misfitsOf } from './result-schema.ts';

const at = (place: string) => `contract.result_schema${place}`;

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

describe('a result schema', () => {
  it.each([
    {},
    { type: 'object', required: ['sha'], properties: { sha: { type: 'string', maxLength: 40 } } },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { a: { type: 'integer' } }, $ref: '#/$defs/a' },
    { properties: { pattern: { type: 'string' }, $ref: { type: 'string' } }, required: ['pattern'] },
    { const: { pattern: '(a+)+$' }, examples: [{ $ref: 'https://example.com' }] },
    { type: 'object', properties: { next: { $ref: '#' } } },
    { 'x-note': 'unknown keywords are annotations', format: 'date' },
  ])('may be %j', (schema) => {
    expect(() => assertResultSchema(schema)).not.toThrow();
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
  ])('must not be %j', (schema, place, constraint) => {
    const violations = [{ field: at(place), constraint }];
    expect(() => assertResultSchema(schema)).toThrow(expect.objectContaining({ code: 'invalid_input', violations }));
  });

  it('never breaks what checks it, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('$ref', 'type', 'properties', 'allOf', 'a'), fc.jsonValue()), (one) => {
        try {
          assertResultSchema(one as Record<string, unknown>);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a result that does not fit', () => {
  const schema = {
    type: 'object',
    required: ['sha', 'files'],
    properties: { sha: { type: 'string' }, files: { type: 'array', items: { type: 'integer' } } },
    additionalProperties: false,
  };

  it('is named place by place', () => {
    expect(misfitsOf(schema, { sha: 'a', files: [1] })).toEqual([]);
    expect(misfitsOf(schema, { files: [1, 'b'], more: 1 })).toEqual(['result.sha', 'result.more', 'result.files.1']);
  });

  it('looks for no pattern, even where a reference leads to one', () => {
    const hidden = { properties: { a: { $ref: '#/default' } }, default: { pattern: '^(a+)+$' } };
    expect(misfitsOf(hidden, { a: `${'a'.repeat(40)}b` })).toEqual([]);
  });

  it('is one that would take too long to check', () => {
    const startedAt = performance.now();
    expect(misfitsOf(explosion, {})).toEqual(['result']);
    expect(
      misfitsOf(
        { uniqueItems: true },
        Array.from({ length: 30_000 }, (_, n) => [n]),
      ),
    ).toEqual(['result']);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
