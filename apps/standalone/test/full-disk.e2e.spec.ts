// A disk without space is named at once. Only root can make such a disk; for others the suite is skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePorts } from '@eas/testing/own-system';

const main = resolve(import.meta.dirname, '../src/main.ts');
const disk = mkdtempSync(join(tmpdir(), 'eas-full-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]).status === 0;

afterAll(() => {
  if (isMounted) execFileSync('umount', [disk]);
  rmdirSync(disk);
});

async function start() {
  const env = { PATH: process.env['PATH'], DATA_DIR: disk, PORT: String(await findFreePorts(7)) };
  const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, stderr };
}

(isMounted ? describe : describe.skip)('on a disk without space', () => {
  beforeAll(() => {
    try {
      writeFileSync(join(disk, 'filling'), Buffer.alloc(64_000));
    } catch {
      // Full, as wanted.
    }
  });

  it('the system says so and leaves no half-written file', async () => {
    expect(await start()).toEqual({ status: 1, stderr: `No space left on the disk for ${disk}.\n` });
    expect(readdirSync(disk)).toEqual(['filling']);
  });

  it('the system says so of one that can only be read', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const sentence = `The folder ${disk} cannot be used by this user (EROFS). Set DATA_DIR to another folder.\n`;
    expect(await start()).toEqual({ status: 1, stderr: sentence });
  });
});
