import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryLock, withLock } from './lock.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'lock-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, 'lock');
const never = new AbortController().signal;

describe('a lock', () => {
  it('is held by one at a time, and leaves nothing behind', async () => {
    let [inside, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await sleep(5);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(file(), never, work)));
    expect([most, readdirSync(folder)]).toEqual([1, []]);
  });

  it('is free again when its work failed', async () => {
    await expect(withLock(file(), never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await tryLock(file())).toBeDefined();
  });

  it('ends with a process that is killed', async () => {
    const module = join(import.meta.dirname, 'lock.ts');
    const program = `
      import { tryLock } from ${JSON.stringify(module)};
      await tryLock(${JSON.stringify(file())});
      console.log('held');
      setInterval(() => {}, 1_000);`;
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program];
    const holder = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    expect(await tryLock(file())).toBeUndefined();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await tryLock(file())).toBeDefined();
  });

  it.each([
    ['of another machine is left alone', { host: 'elsewhere', pid: 1, id: 'x' }, 1, false],
    ['of another machine is over when it is not renewed', { host: 'elsewhere', pid: 1, id: 'x' }, 61, true],
    ['of an earlier process with the same number is over', { host: hostname(), pid: process.pid, id: 'x' }, 1, true],
    ['that is just being written is left alone', '', 1, false],
  ])('%s', async (_title, owner, ageSeconds, isFree) => {
    writeFileSync(file(), owner === '' ? '' : JSON.stringify(owner));
    const at = new Date(Date.now() - ageSeconds * 1_000);
    utimesSync(file(), at, at);
    expect((await tryLock(file())) !== undefined).toBe(isFree);
  });
});
