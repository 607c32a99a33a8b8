import { describe, expect, it } from '@jest/globals';
import { originList, redisUrls, url } from './setting-types.ts';

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

describe('addresses of Redis', () => {
  it.each(['redis://127.0.0.1', 'rediss://user:p%40ss@host:6379/2', 'redis://a:1, rediss://b:2'])('are %s', (text) =>
    expect(redisUrls().parse(text)).toBe(text),
  );

  it.each(['redis://127.0.0.1:99999', 'redis://', 'http://a', 'redis://a:1,', 'redis://a:1,b:2'])(
    'are not %s',
    (text) => expect(() => redisUrls().parse(text)).toThrow('redis:// or rediss:// addresses such as'),
  );
});

describe('an address with a password', () => {
  it.each(['redis://:p%zz@h', 'redis://a:1,redis://us%er@b'])('is refused where it cannot be decoded: %s', (text) =>
    expect(() => redisUrls().parse(text)).toThrow('percent-encoded'),
  );

  it('is refused for Postgres too', () => {
    expect(() => url('postgresql:').parse('postgresql://eas:100%@h/d')).toThrow('percent-encoded');
    expect(() => url('postgresql:').parse('mysql://h')).toThrow('a URL that starts with postgresql://');
    expect(url('postgresql:').parse('postgresql://eas:100%25@h/d/')).toBe('postgresql://eas:100%25@h/d');
  });
});
