import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

/** Runs a program with `tryLock` and `file` in a process of its own, until it prints something. Gives what kills it. */
async function startOther(program: string): Promise<() => Promise<unknown>> {
  const module = join(import.meta.dirname, 'lock.ts');
  const begin = `import { tryLock } from ${JSON.stringify(module)}; const file = ${JSON.stringify(file())};`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', begin + program];
  const other = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  return () => {
    other.kill('SIGKILL');
    return once(other, 'exit');
  };
}

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
    const kill = await startOther("await tryLock(file); console.log('held'); setInterval(() => {}, 1_000);");
    expect(await tryLock(file())).toBeUndefined();
    await kill();
    expect(await tryLock(file())).toBeDefined();
  });

  const gone = JSON.stringify({ host: hostname(), pid: 2 ** 30, id: 'gone' });

  it('is free when a process was killed while it removed the lock of another one', async () => {
    for (const name of [file(), `${file()}.over`]) writeFileSync(name, gone);
    expect(await tryLock(file())).toBeDefined();
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is free a minute after an earlier version was killed while it removed one', async () => {
    writeFileSync(file(), gone);
    mkdirSync(`${file()}.over`);
    expect(await tryLock(file())).toBeUndefined();
    const at = new Date(Date.now() - 61_000);
    utimesSync(`${file()}.over`, at, at);
    expect(await tryLock(file())).toBeDefined();
  });

  it('has its owner from its first moment on, wherever its process is killed', async () => {
    for (let kills = 0; kills < 5; kills += 1) {
      const kill = await startOther("console.log('begun'); for (;;) await (await tryLock(file))?.();");
      await sleep(Math.random() * 20);
      await kill();
      const release = await tryLock(file());
      expect(release).toBeDefined();
      await release?.();
    }
  });

  it.each([
    ['of another machine is left alone', { host: 'elsewhere', pid: 1, id: 'x' }, 1, false],
    ['of another machine is over when it is not renewed', { host: 'elsewhere', pid: 1, id: 'x' }, 61, true],
    ['of an earlier process with the same number is over', { host: hostname(), pid: process.pid, id: 'x' }, 1, true],
  ])('%s', async (_title, owner, ageSeconds, isFree) => {
    writeFileSync(file(), JSON.stringify(owner));
    const at = new Date(Date.now() - ageSeconds * 1_000);
    utimesSync(file(), at, at);
    expect((await tryLock(file())) !== undefined).toBe(isFree);
  });
});
