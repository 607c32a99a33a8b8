import { mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.ts';

const needed = ['--role', 'rd', '--exec', 'true'];
const env = { API_KEY: 'eas_live_x', PATH: '/bin' };

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
    const file = join(mkdtempSync(join(tmpdir(), 'key-')), 'key');
    writeFileSync(file, 'from_a_file\n');
    const config = loadConfig([...needed, '--key-file', file], env);
    expect(config).toMatchObject({ apiKey: 'from_a_file', env: { PATH: '/bin' } });
    expect(JSON.stringify((config as { env: object }).env)).not.toContain('eas_live_x');
  });

  it('takes the address from the environment, and the flag before it', () => {
    const given = { ...env, BASE_URL: 'https://a.example/' };
    expect(loadConfig(needed, given)).toMatchObject({ url: 'https://a.example' });
    expect(loadConfig([...needed, '--url', 'https://b.example'], given)).toMatchObject({ url: 'https://b.example' });
  });

  it.each([
    [['--exec', 'true'], env, '--role: is needed'],
    [['--role', 'rd'], env, '--exec: is needed'],
    [['--role', 'r d', '--exec', 'true'], env, '--role: '],
    [[...needed, '--concurrency', '0'], env, '--concurrency: '],
    [[...needed, '--concurrency', 'many'], env, '--concurrency: '],
    [[...needed, '--timeout=-1'], env, '--timeout: '],
    [[...needed, '--url', 'ftp://a'], env, '--url: '],
    [[...needed, '--agent', '../x'], env, '--agent: '],
    [[...needed, '--key', 'secret'], env, "Unknown option '--key'"],
    [[...needed, 'more'], env, 'Unexpected argument'],
    [needed, {}, 'An API key is needed'],
    [needed, { API_KEY: 'two words' }, 'That is no API key.'],
    [[...needed, '--key-file', '/nowhere'], env, '--key-file: ENOENT'],
  ])('%j is refused with a sentence', (args, given, sentence) => {
    const { refusal } = loadConfig(args, given) as { refusal: string };
    expect(refusal).toContain(sentence);
    expect(refusal).not.toContain('secret');
  });

  it('explains itself', () => {
    expect(loadConfig(['--help'], {})).toMatchObject({ refusal: expect.stringContaining('--role ROLE') });
  });
});
