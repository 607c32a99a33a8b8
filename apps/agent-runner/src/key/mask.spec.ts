import { describe, expect, it } from '@jest/globals';
import { createMask, secretsIn } from './mask.ts';

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

  it('is each password in a URL, encoded and decoded, and what profiles read from the environment', () => {
    const env = {
      DATABASE_URL: 'postgres://app:p%40ssw0rd!@db:5432/app?x=http://a:b@c',
      OTHER: 'two https://u:first-one@a and redis://:second-one@b, mailto:me@example.org http://h:8080/@x',
      MCP_HEADER: 'of-a-profile',
    };
    expect(secretsIn(env, [])).toEqual(['of-a-profile', 'p%40ssw0rd!', 'second-one', 'p@ssw0rd!', 'first-one']);
  });

  it('is replaced everywhere, the longer one first', () => {
    const mask = createMask(secretsIn({}, ['abcdefgh', 'abcdefghijkl']));
    expect(mask.text('abcdefghijkl and abcdefgh, abcdefgh abcdefgh')).toBe('*** and ***, *** ***');
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
    expect(createMask(secrets).openEnd(text)).toBe(length);
  });
});

describe('what the service gets', () => {
  const mask = createMask(['sk-0123456789']);

  it('has no secret in any text, and words and ids as they are', () => {
    expect(
      mask.all({
        kind: 'sk-0123456789',
        prompt: 'Is sk-0123456789 right?',
        form: [{ title: 'sk-0123456789', max: 7, other: null }],
        cut: 'a text that was cut at sk-01234',
        short: 'a short sk-',
      }),
    ).toEqual({
      kind: 'sk-0123456789',
      prompt: 'Is *** right?',
      form: [{ title: '***', max: 7, other: null }],
      cut: 'a text that was cut at ***',
      short: 'a short sk-',
    });
  });

  it('has an end however deep it is', () => {
    let deep: unknown = 'sk-0123456789';
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
    expect(JSON.stringify(mask.all(deep))).not.toContain('sk-0');
  });
});

describe('a text that comes in parts', () => {
  it('shows no secret that spans two of them', () => {
    const { join } = createMask(['sk-0123456789', '12345678']);
    const parts = ['key: sk-0', '123456', '789 and 123', '45678', ' and on'];
    expect(parts.reduce(join, '')).toBe('key: *** and *** and on');
  });
});
