import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from './load-settings.ts';
import { setting } from './setting.ts';
import { isSet, withSettings } from './setting-files.ts';
import { databaseSettings } from './setting-groups.ts';
import { text } from './setting-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'eas-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const shape = { database: databaseSettings, more: setting('MORE', text(1, 200_000).optional().describe('more')) };
const url = 'postgresql://eas:hunter2@localhost/eas';

function fileWith(content: string): string {
  const path = join(folder, `file-${content.length}`);
  writeFileSync(path, content);
  return path;
}

describe('a setting with a file', () => {
  it('has its content, without space around it', () => {
    const config = loadSettings(shape, { DATABASE_URL_FILE: fileWith(` ${url}\n`), MORE: 'more' });
    expect([config.database.url, config.more]).toEqual([url, 'more']);
  });

  it.each([
    ['does not exist', () => join(folder, 'none'), 'a file that can be read (ENOENT)'],
    ['is a folder', () => folder, 'a file of at most 131072 bytes'],
    ['is too large', () => fileWith('x'.repeat(131_073)), 'a file of at most 131072 bytes'],
    ['is empty', () => fileWith(' \n'), 'a file that is not empty'],
    ['is behind a file', () => join(fileWith(url), 'x'), 'a file that can be read (ENOTDIR)'],
  ])('is refused when it %s', (_, pathOf, expected) => {
    const read = () => loadSettings(shape, { DATABASE_URL_FILE: pathOf() });
    expect(read).toThrow(`DATABASE_URL_FILE (expected ${expected})`);
  });

  it('is refused next to a value, and with a wrong one, which is not repeated', () => {
    const both = { DATABASE_URL: url, DATABASE_URL_FILE: fileWith(url) };
    expect(() => loadSettings(shape, both)).toThrow(
      'DATABASE_URL_FILE (expected no value, because DATABASE_URL has one)',
    );
    const wrong = () => loadSettings(shape, { DATABASE_URL_FILE: fileWith('hunter2') });
    expect(wrong).toThrow(/^Invalid setting: DATABASE_URL_FILE \(expected /);
    expect(wrong).not.toThrow(/hunter2/);
  });

  it('is set', () => {
    const path = join(folder, 'set');
    mkdirSync(path);
    expect([
      isSet({ MORE_FILE: path }, 'MORE'),
      isSet({ MORE: 'x' }, 'MORE'),
      isSet({ MORE_FILE: ' ' }, 'MORE'),
    ]).toEqual([true, true, false]);
  });
});

it('settings that a process gives to another replace values and files', () => {
  const env = { A: '1', B_FILE: '/b', C_FILE: '/c' };
  expect(withSettings(env, { A: '2', B: '3' })).toEqual({ A: '2', B: '3', C_FILE: '/c' });
});
