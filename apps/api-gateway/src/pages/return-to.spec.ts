import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeReturnTo } from './return-to.ts';

describe('where a person goes after signing in', () => {
  it('is the path that was asked for, with its query', () => {
    for (const path of ['/admin/keys', '/admin/keys?after=key_1', '/oauth/authorize?a=b%20c&d=%2F%2Fe'])
      expect(safeReturnTo(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'admin',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    '/\n/elsewhere.example',
    'javascript:alert(1)',
    '//',
  ])('is the start page instead of %j', (text) => {
    expect(safeReturnTo(text)).toBe('/admin');
  });

  it('is never on another site, whatever was asked for', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      ' ',
      '@',
      ':',
      '#',
      '?',
      '%2f',
      '%5c',
      'e.example',
      'http:',
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (asked) => {
        const host = 'https://service.example';
        expect(new URL(safeReturnTo(asked), host).origin).toBe(host);
        expect(safeReturnTo(asked)).toMatch(/^\/(?![/\\])/);
      }),
      { numRuns: 5_000 },
    );
  });
});
