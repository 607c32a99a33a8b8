import { fstatSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.ts';

const needed = ['--role', 'rd', '--exec', 'true'];
const env = { API_KEY: 'eas_live_x', PATH: '/bin' };
const newFolder = () => mkdtempSync(join(tmpdir(), 'key-'));

describe('the command line', () => {
  it('needs a role and a command, and has a default for the rest', () => {
    expect(loadConfig(needed, env)).toMatchObject({
      role: 'rd',
      exec: 'true',
      name: `rd-${hostname()}`,
      url: 'http://127.0.0.1:3000',
      concurrency: 1,
      timeout: 7_200,
      capability: [],
    });
  });

  it('reads the key from the environment or a file, and keeps it from the command', () => {
    const file = join(newFolder(), 'key');
    writeFileSync(file, 'from_a_file\n');
    const config = loadConfig([...needed, '--key-file', file], env);
    expect(config).toMatchObject({ apiKey: 'from_a_file', env: { PATH: '/bin' } });
    expect(JSON.stringify((config as { env: object }).env)).not.toContain('eas_live_x');
  });

  it('takes the key of the system that runs here, unless another machine is meant', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'first-api-key'), 'of_this_machine\n');
    const here = { DATA_DIR: folder };
    expect(loadConfig(needed, here)).toMatchObject({ apiKey: 'of_this_machine' });
    expect(loadConfig([...needed, '--url', 'http://[::1]:3000'], here)).toMatchObject({ apiKey: 'of_this_machine' });
    const away = loadConfig([...needed, '--url', 'https://localhost.example'], here) as { refusal: string };
    expect(away.refusal).toContain('An API key is required');
    expect(loadConfig(needed, { ...here, API_KEY: 'mine' })).toMatchObject({ apiKey: 'mine' });
  });

  it('reads the key from a descriptor once and closes it', () => {
    const file = join(newFolder(), 'key');
    writeFileSync(file, 'handed_over\n');
    const fd = openSync(file, 'r');
    expect(loadConfig([...needed, '--key-fd', String(fd)], {})).toMatchObject({ apiKey: 'handed_over' });
    expect(() => fstatSync(fd)).toThrow('EBADF');
  });

  it('takes the address from the environment, and the flag before it', () => {
    const given = { ...env, BASE_URL: 'https://a.example/' };
    expect(loadConfig(needed, given)).toMatchObject({ url: 'https://a.example' });
    expect(loadConfig([...needed, '--url', 'https://b.example'], given)).toMatchObject({ url: 'https://b.example' });
  });

  it.each([
    [['--exec', 'true'], env, '--role is required.'],
    [['--role', 'rd'], env, '--exec is required.'],
    [['--role', 'r d', '--exec', 'true'], env, '--role must be '],
    [[...needed, '--concurrency', '0'], env, '--concurrency must be '],
    [[...needed, '--concurrency', 'many'], env, '--concurrency must be '],
    [[...needed, '--timeout=-1'], env, '--timeout must be '],
    [[...needed, '--url', 'ftp://a'], env, '--url must be '],
    [[...needed, '--agent', '../x'], env, '--agent must be '],
    [[...needed, '--key', 'secret'], env, "Unknown option '--key'"],
    [[...needed, 'more'], env, 'Unexpected argument'],
    [needed, { DATA_DIR: '/nowhere' }, 'An API key is required'],
    [needed, { API_KEY: 'two words' }, 'The API key is not valid: expected 1 to 200 visible ASCII characters.'],
    [[...needed, '--key-file', '/nowhere'], env, '--key-file: ENOENT'],
    [[...needed, '--key-fd', 'x'], env, '--key-fd must be '],
    [[...needed, '--key-fd', '250'], env, '--key-fd 250: EBADF'],
  ])('%j is refused with a sentence', (args, given, sentence) => {
    const { refusal } = loadConfig(args, given) as { refusal: string };
    expect(refusal).toContain(sentence);
    expect(refusal).not.toContain('secret');
  });

  it('explains itself', () => {
    expect(loadConfig(['--help'], {})).toMatchObject({ refusal: expect.stringContaining('--role ROLE') });
  });
});
