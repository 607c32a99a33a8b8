import { describe, expect, it } from '@jest/globals';
import { isHeaderText, sharedSecret, signingSecretInput, tokenInput } from './secrets.ts';

const taken = (text: string) =>
  [signingSecretInput, sharedSecret, tokenInput].map((schema) => schema.safeParse(text).success);

describe('a secret', () => {
  it.each([
    ['a-secret-of-16-or-more-characters', [true, true, true]],
    ['a secret with blanks inside', [true, true, true]],
    ['a secret with é inside', [true, true, false]],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', [true, true, true]],
    [`whsec_${Buffer.alloc(32, 7).toString('base64')}`, [true, true, true]],
    ['whsec_', [false, true, true]],
    ['whsec_not base64!', [false, true, true]],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwA', [false, true, true]],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA', [false, true, true]],
    ['whsec_MfKQ9r8GKYqrTwjU_D8ILPZIo2LaLaSw', [false, true, true]],
    ['v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', [false, true, true]],
    [' a-secret-of-16-or-more-characters', [false, false, false]],
    ['a-secret-of-16-or-more-characters\n', [false, false, false]],
    ['a-secret-of-16-or-more-characters\u00a0', [false, false, false]],
    ['a-secret-of-16-or\r\nmore-characters', [false, false, false]],
    ['a-secret-of-16-or\u007fmore-characters', [false, false, false]],
    ['', [false, false, false]],
    ['   ', [false, false, false]],
  ])('%j to sign with, of another system, or as a token is taken: %j', (text, expected) => {
    expect(taken(text)).toEqual(expected);
  });

  it('that a header cannot carry is known as one', () => {
    expect(['xoxb-1', 'Bearer a', 'a\nb', ' a', 'ü', ''].map(isHeaderText)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
