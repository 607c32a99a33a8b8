import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchesGlob } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['git push', 'git push', true],
    ['git push', 'git push origin', false],
    ['git push*', 'GIT PUSH origin\nmain', true],
    ['*', '', true],
    ['**', 'anything', true],
    ['', '', true],
    ['', 'x', false],
    ['*.env', 'config/.env', true],
    ['*.env', '.env.example', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*to*to*', 'ato', false],
    ['*to*to*', 'to and to', true],
    ['*://*.internal/*', 'https://db.internal/x', true],
    ['a.c', 'abc', false],
    ['rm [-r]*', 'rm -r /', false],
  ])('%j and the text %j: %s', (pattern, text, fits) => expect(matchesGlob(pattern, text)).toBe(fits));

  it('matches like the expression in which each star is any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'is');
        expect(matchesGlob(pattern, text)).toBe(expression.test(text));
      }),
    );
  });

  it('of many stars does not block the thread with a text that almost matches', () => {
    const pattern = `${'*a'.repeat(248)}*b`;
    const text = 'a'.repeat(65_536);
    for (let count = 0; count < 1_000; count += 1) expect(matchesGlob(pattern, text)).toBe(false);
  });
});
