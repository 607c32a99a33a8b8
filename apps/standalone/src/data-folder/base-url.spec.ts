import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@eas/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Config, configShape } from '../config.ts';
import { keepBaseUrl, knownBaseUrl } from './base-url.ts';

let dataDir: string;
const configOf = (env: Record<string, string>): Config => ({
  ...loadSettings(configShape, env),
  dataDir,
  root: '/r',
  inheritedEnv: env,
  shutdown: { seconds: 1 },
});

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'eas-base-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the base address that commands print', () => {
  it('is that of the last start on the folder', () => {
    expect(knownBaseUrl(configOf({}))).toBe('http://127.0.0.1:3000');
    keepBaseUrl(dataDir, 'https://eas.example.com');
    expect(knownBaseUrl(configOf({}))).toBe('https://eas.example.com');
  });

  it.each([
    [{ PORT: '4000' }, 'http://127.0.0.1:4000'],
    [{ BASE_URL: 'https://other.example.com' }, 'https://other.example.com'],
  ])('is what the settings of the command say, when they do: %j', (env, expected) => {
    keepBaseUrl(dataDir, 'https://eas.example.com');
    expect(knownBaseUrl(configOf(env as Record<string, string>))).toBe(expected);
  });
});
