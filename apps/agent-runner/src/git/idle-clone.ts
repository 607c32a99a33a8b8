import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clone } from './clone.ts';
import { branchesOf, isPublished } from './refs.ts';

/** Forgets worktrees that are gone, and branches of tasks that the remote has as well. */
export async function tidyClone({ git }: Clone): Promise<void> {
  await git(['worktree', 'prune']);
  for (const { ref, sha, isUsed } of await branchesOf(git))
    if (!isUsed && (await isPublished(git, sha))) await git(['update-ref', '-d', ref, sha]);
  await git(['gc', '--auto', '--quiet'], { settings: { 'gc.auto': '6700' }, timeoutSeconds: 1_800 });
}

/** Whether a clone has no worktrees, and after `tidyClone` no commits that no remote has. */
export async function isIdle({ git, dir }: Clone): Promise<boolean> {
  if ((await branchesOf(git)).length > 0) return false;
  return (await readdir(join(dir, 'worktrees')).catch(() => [])).length === 0;
}
