import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cloneAt, usedFile } from '../../git/clone.ts';
import { createGit } from '../../git/git.ts';
import { isIdle, tidyClone } from '../../git/idle-clone.ts';
import { tryLock } from '../../git/lock.ts';
import { clonesOf, lockOfTask } from '../../project/workplace.ts';
import type { Env } from '../../key/env.ts';

/** What may be removed: `remove` gives whether it is gone. */
export type Item = { path: string; usedAtMs: number; remove: () => Promise<boolean> };

type RemovableParts = {
  workspace: string;
  env: Env;
  signal: AbortSignal;
};

const usedAt = async (path: string) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
const namesIn = (path: string) => readdir(path).catch(() => [] as string[]);

/** Folders of tasks with worktrees; others are not ours to remove. */
export async function foldersWithWorktrees(workspace: string): Promise<Item[]> {
  const items: Item[] = [];
  for (const name of await namesIn(workspace)) {
    const path = join(workspace, name);
    if (!(await hasWorktree(join(path, 'work')))) continue;
    const remove = () => underLock(lockOfTask(path), () => rm(path, { recursive: true, force: true }));
    items.push({ path, usedAtMs: await usedAt(join(path, 'task.json')), remove });
  }
  return items;
}

async function hasWorktree(folder: string): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    const file = await lstat(join(folder, name, '.git')).catch(() => undefined);
    if (file?.isFile()) return true;
  }
  return false;
}

/** Clones without worktrees and without commits that no remote has, and what is left of broken ones. */
export async function idleClones({ workspace, env, signal }: RemovableParts): Promise<Item[]> {
  const root = clonesOf(workspace);
  const git = createGit({ env, signal });
  const items: Item[] = [];
  for (const name of await namesIn(root)) {
    if (name.endsWith('.lock')) continue;
    const path = join(root, name);
    const lock = `${path.replace(/\.git\..*$/, '.git')}.lock`;
    const clone = name.endsWith('.git') ? cloneAt(git, { url: '', dir: path }) : undefined;
    if (clone) await underLock(lock, () => tidyClone(clone));
    const remove = () =>
      underLock(lock, async () => {
        if (clone && !(await isIdle(clone))) return false;
        await rm(path, { recursive: true, force: true });
        return true;
      });
    items.push({ path, usedAtMs: await usedAt(clone ? usedFile(path) : path), remove });
  }
  return items;
}

async function underLock(lock: string, run: () => Promise<unknown>): Promise<boolean> {
  const release = await tryLock(lock);
  return release
    ? run()
        .then((result) => result !== false)
        .finally(release)
    : false;
}
