import { describe, expect, it } from '@jest/globals';
import { loadSettings, SettingsError } from './load-settings.ts';
import { listSettings, setting } from './setting.ts';
import { databaseSettings, redisSettings, secretSettings } from './setting-groups.ts';
import { cidrList, flag, integer, list, numberList, port, text, url } from './setting-types.ts';

const shape = {
  http: { port: setting('PORT', port().default(3000).describe('port of the public API')) },
  workers: setting('WORKERS', integer(1, 8).describe('workers of this process')),
};

function wrongOf(read: () => unknown): Record<string, string> {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return Object.fromEntries(error.wrong.map((w) => [w.variable, w.expected]));
    throw error;
  }
  return {};
}

describe('loadSettings', () => {
  it('returns typed values in the shape and fills in defaults', () => {
    expect(loadSettings(shape, { WORKERS: ' 2 ' })).toEqual({ http: { port: 3000 }, workers: 2 });
  });

  it('treats an empty variable as unset', () => {
    expect(loadSettings(shape, { WORKERS: '1', PORT: '' }).http.port).toBe(3000);
  });

  it('names every invalid setting and what was expected, in one sentence', () => {
    expect(() => loadSettings(shape, { PORT: '70000' })).toThrow(
      new SettingsError([
        { variable: 'PORT', expected: 'an integer from 0 to 65535' },
        { variable: 'WORKERS', expected: 'a value: workers of this process' },
      ]),
    );
  });

  it('never repeats the value, which may be a secret', () => {
    const read = () => loadSettings({ secrets: secretSettings }, { ENCRYPTION_KEY: 'hunter2' });
    expect(read).toThrow(/^Invalid setting: ENCRYPTION_KEY \(expected 32 bytes in base64/);
    expect(read).not.toThrow(/hunter2/);
  });

  it('lists the leaves of a shape in order', () => {
    expect(listSettings(shape).map((leaf) => leaf.variable)).toEqual(['PORT', 'WORKERS']);
  });
});

describe('setting types', () => {
  const types = {
    flag: setting('FLAG', flag()),
    list: setting('LIST', list()),
    numbers: setting('NUMBERS', numberList()),
    cidrs: setting('CIDRS', cidrList()),
    url: setting('URL', url('http:', 'https:')),
    text: setting('TEXT', text(2, 4)),
  };
  const good = {
    FLAG: 'Yes',
    LIST: 'a, b,',
    NUMBERS: '5,0.5',
    CIDRS: '10.0.0.0/8, ::1/128',
    URL: 'http://a/',
    TEXT: 'ab',
  };

  it('accept the usual spellings', () => {
    expect(loadSettings(types, good)).toEqual({
      flag: true,
      list: ['a', 'b'],
      numbers: [5, 0.5],
      cidrs: ['10.0.0.0/8', '::1/128'],
      url: 'http://a',
      text: 'ab',
    });
  });

  it.each([
    ['FLAG', 'maybe'],
    ['NUMBERS', '5,-1'],
    ['NUMBERS', ','],
    ['CIDRS', '10.0.0.0'],
    ['CIDRS', '10.0.0.0/33'],
    ['CIDRS', 'example/8'],
    ['URL', 'ftp://a'],
    ['URL', 'a'],
    ['TEXT', 'abcde'],
  ])('refuse %s=%s', (variable, value) => {
    expect(Object.keys(wrongOf(() => loadSettings(types, { ...good, [variable]: value })))).toEqual([variable]);
  });

  it('accept one Redis or a cluster, and only Postgres as the database', () => {
    const env = { DATABASE_URL: 'postgresql://u:p@h/d', REDIS_URL: 'redis://a:1,rediss://b:2' };
    const groups = { database: databaseSettings, redis: redisSettings };
    expect(loadSettings(groups, env)).toEqual({
      database: { url: env.DATABASE_URL, directUrl: undefined, poolSize: 8 },
      redis: { url: env.REDIS_URL },
    });
    const wrong = wrongOf(() => loadSettings(groups, { DATABASE_URL: 'mysql://h/d', REDIS_URL: 'http://a' }));
    expect(Object.keys(wrong)).toEqual(['DATABASE_URL', 'REDIS_URL']);
  });
});
