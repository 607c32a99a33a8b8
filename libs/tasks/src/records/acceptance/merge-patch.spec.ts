import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.ts';

type Json = Record<string, unknown>;
const anyObject = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<Json>;
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

describe('mergePatch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ])('makes of %j with %j %j', (target, patch, merged) => {
    expect(mergePatch(target, patch)).toEqual(merged);
  });

  it('changes nothing when it is applied again, and does not modify its input', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
        expect(mergePatch(once, patch)).toEqual(once);
        for (const key of Object.keys(target)) if (!Object.hasOwn(patch, key)) expect(once[key]).toEqual(target[key]);
      }),
    );
  });

  it('treats all keys alike, whatever their names', () => {
    const merged = mergePatch({}, asJson(JSON.parse('{"__proto__":{"a":1},"constructor":2}')));
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
    expect(({} as Json)['a']).toBeUndefined();
  });
});
