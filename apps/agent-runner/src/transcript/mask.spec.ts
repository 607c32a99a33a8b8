import { describe, expect, it } from '@jest/globals';
import { maskedBy, openEnd, secretsIn } from './mask.ts';

describe('what is hidden from readers of a session', () => {
  it('is each key, and what the environment calls a key, token, secret, password or credential', () => {
    const env = {
      MODEL_API_KEY: 'sk-0123456789',
      GIT_TOKEN: 'ghp_abcdefgh',
      DB_PASSWORD: 'p4ssw0rd!',
      PATH: '/usr/bin:/usr/local/bin',
      TOKEN_LIMIT: '4000',
    };
    expect(secretsIn(env, ['the key of the runner'])).toEqual([
      'the key of the runner',
      'sk-0123456789',
      'ghp_abcdefgh',
      'p4ssw0rd!',
    ]);
  });

  it('is each line of a key that has several', () => {
    expect(secretsIn({ SSH_KEY: '-----BEGIN\nfirst line of it\n' }, [])).toEqual(['first line of it', '-----BEGIN']);
  });

  it('is replaced wherever it stands, the longer one first', () => {
    const mask = maskedBy(secretsIn({}, ['abcdefgh', 'abcdefghijkl']));
    expect(mask('abcdefghijkl and abcdefgh, abcdefgh abcdefgh')).toBe('*** and ***, *** ***');
  });
});

describe('the end of a text', () => {
  const secrets = ['sk-0123456789', '0123456789012345'];

  it.each([
    ['nothing', 'abc', 0],
    ['the beginning of a secret', 'key: sk-01234', 8],
    ['a whole secret', 'key: sk-0123456789', 10],
    ['all of the text', 'sk-', 3],
  ])('may be that of a secret: %s', (_title, text, length) => {
    expect(openEnd(text, secrets)).toBe(length);
  });
});
