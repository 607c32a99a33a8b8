import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findInexactNumber } from './inexact-number.ts';

describe('a number of a JSON text', () => {
  it.each([
    '0',
    '-0',
    '-0.000000000000000000000',
    '0e999',
    '1.0',
    '100e-2',
    '1E+2',
    '9007199254740992',
    '-9007199254740991.0',
    '1000000000000000000000000000000',
    '1e23',
    '0.1000000000000000',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
  ])('%s is held as it is written', (number) => {
    expect(findInexactNumber(`{"a":[${number}]}`)).toBeUndefined();
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055',
    '12345678.90123456789',
    `1${'0'.repeat(309)}`,
  ])('%s would become another one, and is found by its path', (number) => {
    expect(findInexactNumber(`{"a":[1,{"b":${number}}]}`)).toEqual(['a', '1', 'b']);
  });

  it('is found alone, and the first of several', () => {
    expect(findInexactNumber('9007199254740993')).toEqual([]);
    expect(findInexactNumber('{"a":{"b":1e400},"c":1e400}')).toEqual(['a', 'b']);
  });

  it('ignores digits in a text or a key', () => {
    expect(findInexactNumber('{"9007199254740993":"9007199254740993","1e400":"a1e400"}')).toBeUndefined();
  });

  it('is exact whenever JSON printed it', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(findInexactNumber(JSON.stringify(value))).toBeUndefined()));
  });

  it('takes time in proportion to its length', () => {
    const digits = 500_000;
    for (const number of [`0.${'0'.repeat(digits)}1`, `1${'0'.repeat(digits)}1`, `1e${'9'.repeat(digits)}`])
      expect(findInexactNumber(`[${number}]`)).toEqual(['0']);
    expect(findInexactNumber(`[0.${'0'.repeat(digits)}]`)).toBeUndefined();
  });
});
