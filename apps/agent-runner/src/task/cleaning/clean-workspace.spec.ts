import { existsSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { usedFile } from '../../git/clone.ts';
import { tryLock } from '../../git/lock.ts';
import { gitOf, useRemotes } from '../../git/remote.fixture.ts';
import { repositoryOf, taskId, useClaims } from '../claim-scene.fixture.ts';
import { cleanWorkspace } from './clean-workspace.ts';
import { lockOfTask } from '../../project/workplace.ts';

const { run, workspace } = useClaims();
const { makeRemote } = useRemotes();
const folder = () => join(workspace(), taskId);
const clones = () => readdirSync(join(workspace(), '.clones'));
const age = (path: string, days: number) => {
  const at = new Date(Date.now() - days * 86_400_000);
  utimesSync(path, at, at);
};

async function clean(keepDays: number, maxBytes = 0): Promise<string[]> {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const keepMs = keepDays * 86_400_000;
  const signal = new AbortController().signal;
  await cleanWorkspace({ workspace: workspace(), env: process.env, keepMs, maxBytes, signal, log });
  return lines;
}

describe('a workspace', () => {
  it('loses worktrees and clones that were not used for days, when all is pushed', async () => {
    await run('echo 1 > a', [repositoryOf(makeRemote())]);
    expect(await clean(1)).toEqual([]);
    age(join(folder(), 'task.json'), 2);
    age(usedFile(join(workspace(), '.clones', clones()[0] ?? '')), 2);
    expect(await clean(1)).toEqual([
      expect.stringMatching(/^removed .*tsk_1 for its age$/),
      expect.stringMatching(/^removed .*web-\w+\.git for its age$/),
    ]);
    expect([existsSync(folder()), clones()]).toEqual([false, []]);
  });

  it('keeps a clone with commits that no remote has', async () => {
    await run('echo 1 > a', [repositoryOf(makeRemote())], { settings: { pushes: false } });
    const [clone = ''] = clones();
    age(join(folder(), 'task.json'), 2);
    age(usedFile(join(workspace(), '.clones', clone)), 2);
    await clean(1);
    expect([existsSync(folder()), clones()]).toEqual([false, [clone]]);
    expect(gitOf(join(workspace(), '.clones', clone), 'show', `task/${taskId}:a`)).toBe('1');
  });

  it('keeps folders that are in use, and folders of tasks without a project', async () => {
    await run('echo 1 > a', [repositoryOf(makeRemote())]);
    age(join(folder(), 'task.json'), 2);
    const release = await tryLock(lockOfTask(folder()));
    await clean(1);
    expect(existsSync(folder())).toBe(true);
    await release?.();
    writeFileSync(join(folder(), 'work/web/.git'), '');
    await clean(1);
    expect(existsSync(folder())).toBe(false);
  });

  it('loses its oldest folders when it is too large, and none that was used lately', async () => {
    await run('echo 1 > a', [repositoryOf(makeRemote())]);
    const large = join(folder(), 'work/large');
    writeFileSync(large, 'x'.repeat(3_000_000));
    truncateSync(large, 3_000_000);
    expect(await clean(30, 1_000_000)).toEqual([]);
    age(join(folder(), 'task.json'), 0.1);
    expect(await clean(30, 10_000_000)).toEqual([]);
    expect(await clean(30, 1_000_000)).toEqual([expect.stringMatching(/tsk_1 for its size$/)]);
    expect(clones()).toHaveLength(1);
  });
});
