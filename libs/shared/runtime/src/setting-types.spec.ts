import { describe, expect, it } from '@jest/globals';
import { originList } from './setting-types.ts';

describe('a list of origins', () => {
  it('holds scheme, host and port', () => {
    const text = 'https://app.example.com, http://localhost:8080';
    expect(originList().parse(text)).toEqual(['https://app.example.com', 'http://localhost:8080']);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://*.example.com/x',
    'ftp://a',
    'https://A.b',
  ])('refuses %s', (text) => expect(() => originList().parse(text)).toThrow('origins such as'));
});
