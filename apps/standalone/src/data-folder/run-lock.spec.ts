import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockHolder, takeRunLock } from './run-lock.ts';

let dataDir: string;

describe('takeRunLock', () => {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'eas-standalone-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('takes over the lock of a process that is gone, or whose number another program has now', () => {
    writeFileSync(join(dataDir, 'standalone.pid'), '1\n');
    expect(lockHolder(dataDir)).toBeUndefined();
    takeRunLock(dataDir)();
    expect(existsSync(join(dataDir, 'standalone.pid'))).toBe(false);
  });

  it('is released again', () => {
    takeRunLock(dataDir)();
    takeRunLock(dataDir)();
  });
});
