import { fstatSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountOptions, findAccount, forgetAccount, keepAccount, serviceUrl } from './account.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'account-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const envWith = (env: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: folder, EAS_KEYS: 'file', ...env });
const find = (options: AccountOptions, env: Record<string, string> = {}) => findAccount(options, envWith(env));

describe('the service and the key of a command', () => {
  it('are those of this machine by default', async () => {
    fileOf('first-api-key', 'of_this_machine\n');
    const here = { DATA_DIR: folder };
    expect(await find({}, here)).toEqual({ url: 'http://127.0.0.1:3000', apiKey: 'of_this_machine' });
    expect(await find({ url: 'http://[::1]:3000' }, here)).toMatchObject({ apiKey: 'of_this_machine' });
    await expect(find({ url: 'https://localhost.example' }, here)).rejects.toThrow('An API key is required');
    expect(await find({}, { ...here, API_KEY: 'mine' })).toMatchObject({ apiKey: 'mine' });
  });

  it('are those of the last login, which others on the machine cannot read', async () => {
    expect(await keepAccount({ url: 'https://a.example', apiKey: 'of_a' }, envWith())).toBe(
      join(folder, 'eas', 'keys.json'),
    );
    await keepAccount({ url: 'https://b.example', apiKey: 'of_b' }, envWith());
    expect(await find({})).toEqual({ url: 'https://b.example', apiKey: 'of_b', isKept: true });
    expect(await find({ url: 'https://a.example' })).toMatchObject({ apiKey: 'of_a' });
    expect(statSync(join(folder, 'eas', 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'eas', 'config.json'), 'utf8')).not.toContain('of_');
    expect(await forgetAccount('https://b.example', envWith())).toBe(true);
    expect(await forgetAccount('https://b.example', envWith())).toBe(false);
    await expect(find({})).rejects.toThrow('run eas login');
  });

  it('are given by flags before the environment, and by that before a login', async () => {
    await keepAccount({ url: 'https://a.example', apiKey: 'of_a' }, envWith());
    expect(serviceUrl({}, envWith({ BASE_URL: 'https://b.example/' }))).toBe('https://b.example');
    expect(serviceUrl({ url: 'https://c.example' }, envWith({ BASE_URL: 'https://b.example' }))).toBe(
      'https://c.example',
    );
    const keyFile = fileOf('key', 'from_a_file\n');
    expect(await find({ keyFile }, { API_KEY: 'mine' })).toEqual({ url: 'https://a.example', apiKey: 'from_a_file' });
    expect(await find({}, { API_KEY: 'mine' })).toEqual({ url: 'https://a.example', apiKey: 'mine' });
  });

  it('leave no open descriptor behind', async () => {
    const keyFd = openSync(fileOf('key', 'handed_over\n'), 'r');
    expect(await find({ keyFd })).toMatchObject({ apiKey: 'handed_over' });
    expect(() => fstatSync(keyFd)).toThrow('EBADF');
  });

  it.each<[AccountOptions, Record<string, string>, string]>([
    [{ url: 'ftp://a' }, {}, 'ftp://a is not the address of a service'],
    [{}, { DATA_DIR: '/nowhere' }, 'An API key is required'],
    [{}, { API_KEY: 'two words' }, 'The API key is not valid: expected 1 to 200 visible ASCII characters.'],
    [{ keyFile: '/nowhere' }, {}, '--key-file: ENOENT'],
    [{ keyFd: 250 }, {}, '--key-fd 250: EBADF'],
  ])('%j with %j is refused with a sentence', async (options, env, sentence) => {
    await expect(find(options, env)).rejects.toThrow(sentence);
  });

  it('reports an invalid file by name', async () => {
    await keepAccount({ url: 'https://a.example', apiKey: 'of_a' }, envWith());
    writeFileSync(join(folder, 'eas', 'keys.json'), '{');
    await expect(find({})).rejects.toThrow(/keys\.json is not JSON/);
  });
});
