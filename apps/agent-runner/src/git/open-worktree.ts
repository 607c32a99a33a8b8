import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TaskFailure } from '../task-failure.ts';
import { bringHome, tryMerge } from './bring-home.ts';
import { type Clone, gitIn, type Heads, requireBase } from './clone.ts';
import { type Author, commitFiles } from './commit.ts';
import type { Git } from './git.ts';
import { abortOperations, dropLocks, restoreGitFile } from './put-right.ts';
import { commitOf, isPartOf } from './refs.ts';
import type { Worktree } from './worktree.ts';

export type WorktreeParts = {
  git: Git;
  path: string;
  branch: string;
  base: string;
  /** Where files go that are in the way. */
  asideFolder: string;
  author: Author;
};

/** How far a worktree is; without the file it was never checked out as a whole. */
const stageFile = 'agent-runner-stage';
type Stage = 'checked out' | 'ready';

/** Makes the worktree, or finds the one that an earlier attempt left, on the branch of the task. */
export async function openWorktree(parts: WorktreeParts, clone: Clone, heads: Heads): Promise<Worktree> {
  const { path, branch, base, author } = parts;
  const baseCommit = requireBase(heads, { base, url: clone.url });
  if (branch === base) throw new TaskFailure(`${branch} is the base branch of the project.`, false);
  const found = await findWorktree(parts, clone);
  if (found) await resume(parts, found);
  const start = await startOf(clone, { branch, baseCommit });
  if (found && (await canGoOn(found, start, author))) return found;
  await setAside(parts);
  await clone.git(['worktree', 'prune']);
  await clone.git(['update-ref', `refs/heads/${branch}`, start.commit]);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await clone.git(['worktree', 'add', '--quiet', '--', path, branch], { timeoutSeconds: 1_200 });
  const made = await findWorktree(parts, clone, true);
  if (!made) throw new TaskFailure(`The worktree ${path} was not made.`, true);
  await writeStage(made, 'checked out');
  return made;
}

async function findWorktree(parts: WorktreeParts, clone: Clone, isJustMade = false): Promise<Worktree | undefined> {
  const { git, path, branch, base } = parts;
  const folder = join(clone.dir, 'worktrees');
  for (const name of await readdir(folder).catch(() => [])) {
    const gitDir = join(folder, name);
    const target = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
    if (target.trim() !== join(path, '.git')) continue;
    const worktree = {
      path,
      branch,
      base,
      gitDir,
      git: gitIn(git, { GIT_DIR: gitDir, GIT_WORK_TREE: path }, { cwd: path, hooks: join(clone.dir, 'hooks') }),
    };
    const isThere = await stat(path).catch(() => undefined);
    if (isThere && (isJustMade || (await stageOf(worktree)))) return worktree;
    // Its checkout was broken off: what is there is no work, but a part of the files.
    await rm(path, { recursive: true, force: true });
    await rm(gitDir, { recursive: true, force: true });
  }
  return undefined;
}

const stageOf = (worktree: Worktree): Promise<string> =>
  readFile(join(worktree.gitDir, stageFile), 'utf8').catch(() => '');

const writeStage = (worktree: Worktree, stage: Stage): Promise<void> =>
  writeFile(join(worktree.gitDir, stageFile), stage);

/** Runs what a new worktree needs, once: again only when it did not come to its end. */
export async function setUpOnce(worktree: Worktree, setUp: () => Promise<void>): Promise<void> {
  if ((await stageOf(worktree)) === ('ready' satisfies Stage)) return;
  await setUp();
  await writeStage(worktree, 'ready');
}

/** After an attempt that was broken off anywhere: its work is kept, what git was in the middle of is not. */
async function resume({ asideFolder, author }: WorktreeParts, worktree: Worktree): Promise<void> {
  await restoreGitFile(worktree, asideFolder);
  await dropLocks(worktree);
  await abortOperations(worktree);
  await bringHome(worktree, author, async () => {
    const head = (await worktree.git(['symbolic-ref', '--quiet', 'HEAD'], { codes: [1] })).stdout;
    // On its branch the next attempt finds the files as they are.
    if (head === '') await commitFiles(worktree, author, 'Work of an attempt that was broken off');
    return undefined;
  });
}

/** `left`: what was done here and not pushed, when others have pushed to the branch since. */
type Start = { commit: string; left?: string };

/** Where the work begins: with what was done for the task before, here or elsewhere, or at the base branch. */
async function startOf(clone: Clone, { branch, baseCommit }: { branch: string; baseCommit: string }): Promise<Start> {
  const local = await commitOf(clone.git, `refs/heads/${branch}`);
  const remote = await commitOf(clone.git, `refs/remotes/origin/${branch}`);
  if (!local || !remote) return { commit: remote ?? local ?? baseCommit };
  if (await isPartOf(clone.git, remote, local)) return { commit: local };
  if (await isPartOf(clone.git, local, remote)) return { commit: remote };
  await clone.git(['update-ref', `refs/left/${branch}/${local.slice(0, 12)}`, local]);
  return { commit: remote, left: local };
}

/** Whether the files are at the start, or can be put there without losing any. */
async function canGoOn(worktree: Worktree, { commit, left }: Start, author: Author): Promise<boolean> {
  const { git } = worktree;
  if ((await commitOf(git, 'HEAD')) === commit) return true;
  const { stdout } = await git(['status', '--porcelain', '--untracked-files=normal']);
  if (stdout !== '') return false;
  if (left !== undefined && (await tryMerge(worktree, author, commit))) return true;
  await git(['reset', '--quiet', '--hard', commit], { timeoutSeconds: 1_200 });
  return true;
}

async function setAside({ path, asideFolder }: WorktreeParts): Promise<void> {
  const isThere = await stat(path).catch(() => undefined);
  if (!isThere) return;
  await mkdir(asideFolder, { recursive: true, mode: 0o700 });
  await rename(path, join(asideFolder, `${basename(path)}-${Date.now()}`));
}
