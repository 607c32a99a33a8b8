import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clone, gitIn, type Heads, requireBase } from '../git/clone.ts';
import type { Git } from '../git/git.ts';
import { commitOf } from '../git/refs.ts';
import type { Worktree } from '../git/worktree.ts';

export type ReviewParts = {
  git: Git;
  path: string;
  /** What git knows of it, outside of the path. */
  gitDir: string;
  /** The branch to review; if it does not exist, nothing was done in this repository. */
  branch: string;
  base: string;
};

/**
 * The files of a branch that another agent works on, with a detached HEAD. It is a separate repository, without a remote,
 * that borrows the objects of the clone: nothing done in it changes the branch. Each attempt gets a new one.
 */
export async function openReview(
  { git, path, gitDir, branch, base }: ReviewParts,
  clone: Clone,
  heads: Heads,
): Promise<Worktree> {
  const baseCommit = requireBase(heads, { base, url: clone.url });
  const pushed = await commitOf(clone.git, `refs/remotes/origin/${branch}`);
  const commit = pushed ?? (await commitOf(clone.git, `refs/heads/${branch}`)) ?? baseCommit;
  for (const old of [path, gitDir]) await rm(old, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
  await git(['init', '--quiet', '--template=', '--separate-git-dir', gitDir, '--', path]);
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  await appendFile(join(gitDir, 'objects', 'info', 'alternates'), `${join(clone.dir, 'objects')}\n`);
  const own = gitIn(git, { GIT_DIR: gitDir, GIT_WORK_TREE: path }, { cwd: path, hooks: join(gitDir, 'hooks') });
  await own(['update-ref', `refs/remotes/origin/${base}`, baseCommit]);
  await own(['checkout', '--quiet', '--detach', commit], { timeoutSeconds: 1_200 });
  return { path, branch, base, gitDir, git: own };
}
