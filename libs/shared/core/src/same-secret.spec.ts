import { describe, expect, it } from '@jest/globals';
import { isSameSecret } from './same-secret.ts';

describe('a secret that is compared', () => {
  it.each([
    ['abc', 'abc', true],
    ['', '', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['é', 'e', false],
    ['é', 'ab', false],
  ])('%j and %j are the same: %j', (one, other, isSame) => {
    expect(isSameSecret(one, other)).toBe(isSame);
  });
});
