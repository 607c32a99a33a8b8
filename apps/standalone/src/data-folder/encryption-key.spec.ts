import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSettings } from '@eas/runtime';
import { type Config, configShape } from '../config.ts';
import { encryptionKeyOf } from './encryption-key.ts';

let dataDir: string;

function configOf(env: Record<string, string>): Config {
  const read = loadSettings(configShape, env);
  return { ...read, dataDir, root: '/r', inheritedEnv: env, shutdown: { seconds: 1 } };
}

describe('encryptionKeyOf', () => {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'eas-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('makes one key for an embedded database and keeps it for its owner alone', () => {
    const key = encryptionKeyOf(configOf({}));
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(encryptionKeyOf(configOf({}))).toBe(key);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o077).toBe(0);
  });

  it('takes the keys of the settings first', () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')).join(',');
    expect(encryptionKeyOf(configOf({ ENCRYPTION_KEY: keys }))).toBe(keys);
  });

  it('makes none for a database of its own', () => {
    expect(() => encryptionKeyOf(configOf({ DATABASE_URL: 'postgresql://h/d' }))).toThrow(
      /^Invalid setting: ENCRYPTION_KEY \(expected 32 bytes in base64 because DATABASE_URL is set/,
    );
  });
});
