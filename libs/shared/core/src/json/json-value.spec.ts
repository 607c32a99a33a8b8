import { describe, expect, it } from '@jest/globals';
import { hasMembers, isJsonObject, valueAt } from './json-value.ts';

const values = [{}, { a: 1 }, [], [{}], null, undefined, 'a', 0, true];

describe('a JSON value', () => {
  it('has members as an object and as a list', () => {
    expect(values.map(hasMembers)).toEqual([true, true, true, true, false, false, false, false, false]);
  });

  it('is an object when it is neither a list nor null', () => {
    expect(values.map(isJsonObject)).toEqual([true, true, false, false, false, false, false, false, false]);
  });

  it('is read by a path of own keys alone', () => {
    const value = { a: [{ b: null }], text: 'ab' };
    expect([valueAt(value, []), valueAt(value, ['a', 0]), valueAt(value, ['a', '0', 'b'])]).toEqual([
      value,
      { b: null },
      null,
    ]);
    for (const path of [['c'], ['a', 1], ['a', 0, 'b', 'c'], ['text', 0], ['toString'], ['a', 'map'], ['__proto__']])
      expect(valueAt(value, path)).toBeUndefined();
  });
});
