import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  branchProblem,
  type ClaimedProject,
  copyPathProblem,
  readRepositoryUrl,
  type Repository,
} from '@eas/contracts';
import { type Clone, withClone } from '../git/clone.ts';
import { type Author, authorEnv } from '../git/commit.ts';
import { createGit } from '../git/git.ts';
import { type Release, tryLock } from '../git/lock.ts';
import { openReview } from './open-review.ts';
import { openWorktree, setUpOnce } from '../git/open-worktree.ts';
import { folderNames } from '../git/folder-names.ts';
import { branchTip } from '../git/settle.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Log } from '../log.ts';
import { TaskFailure } from '../task-failure.ts';
import type { ProjectSettings } from './project-settings.ts';
import { setUp } from './set-up.ts';

/** One repository of a task, ready to be worked on. */
export type RepositoryPlace = {
  name: string;
  repository: Repository;
  clone: Clone;
  worktree: Worktree;
  /** The last commit of the branch before the turn. */
  tip: string | undefined;
};

/** The repositories of a task, for its agent alone. */
export type Workplace = {
  /** The worktree; of several repositories the folder above them. */
  folder: string;
  env: Record<string, string>;
  author: Author;
  asideFolder: string;
  places: RepositoryPlace[];
};

type Folder = { path: string; work: string };

export type WorkplaceParts = {
  project: ClaimedProject;
  settings: ProjectSettings;
  workspace: string;
  taskId: string;
  /** The task whose work is reviewed; undefined: the task is to be worked on. */
  reviewOf: string | undefined;
  /** Of the task, with `work` for the worktrees. */
  taskFolder: Folder;
  author: Author;
  /** Aborts when the task is not ours any more, or the runner ends. */
  signal: AbortSignal;
  log: Log;
};

/** Clones, worktrees, copied files and setup, in a folder that is locked. Throws TaskFailure with the reason when that is not possible here. */
export async function openWorkplace(parts: WorkplaceParts): Promise<Workplace> {
  const { project, taskFolder, author, signal } = parts;
  const named = project.repositories.filter(({ is_named: isNamed }) => isNamed);
  const repositories = named.length > 0 ? named : project.repositories;
  for (const repository of repositories) assertUsable(repository);
  const work = await realpath(taskFolder.work);
  const names = folderNames(repositories.map(({ url }) => url));
  const places: RepositoryPlace[] = [];
  for (const [index, repository] of repositories.entries()) {
    signal.throwIfAborted();
    const name = names[index] ?? '';
    places.push(await openPlace(parts, { name, repository, path: join(work, name) }));
  }
  const [only, ...others] = places;
  const folder = only && others.length === 0 ? only.worktree.path : work;
  const env = { ...authorEnv(author), GIT_TERMINAL_PROMPT: '0' };
  return { folder, env, author, asideFolder: asideFolderOf(taskFolder), places };
}

const asideFolderOf = ({ path }: Folder) => join(path, 'set-aside');

export const clonesOf = (workspace: string): string => join(workspace, '.clones');
export const lockOfTask = (folder: string): string => join(folder, 'lock');

/** A runner that lost the lease may still be ending its agent in the folder: throws TaskFailure then. */
export async function lockFolder(folder: string): Promise<Release> {
  const release = await tryLock(lockOfTask(folder));
  if (release) return release;
  throw new TaskFailure('Another runner on this machine still has the folder of the task.', true);
}

/** The service checks the same, and may be of another version, or another one altogether. */
function assertUsable({ url, base_branch: base, copy_files: files }: Repository): void {
  const read = readRepositoryUrl(url);
  const refuse = (field: string, problem: string | undefined) => {
    if (problem !== undefined) throw new TaskFailure(`The repository cannot be used: ${field} ${problem}.`, false);
  };
  refuse(`the URL ${JSON.stringify(url.slice(0, 200))}`, read.isValid ? undefined : read.message);
  refuse(`base_branch ${JSON.stringify(base)}`, branchProblem(base));
  for (const path of files) refuse(`copy_files ${JSON.stringify(path)}`, copyPathProblem(path));
}

type NewPlace = { name: string; repository: Repository; path: string };

async function openPlace(parts: WorkplaceParts, { name, repository, path }: NewPlace): Promise<RepositoryPlace> {
  const { settings, workspace, taskId, reviewOf, taskFolder, author, signal, log } = parts;
  const { url, base_branch: base } = repository;
  const git = createGit({ env: settings.gitEnv, signal });
  const branch = `task/${reviewOf ?? taskId}`;
  log(`preparing ${name}: ${branch} of ${url}`);
  const root = clonesOf(await realpath(workspace));
  await mkdir(root, { recursive: true, mode: 0o700 });
  const cloning = { git, root, signal, timeoutSeconds: settings.remoteSeconds };
  const place = await withClone(cloning, { url, branches: [base, branch] }, async (clone, heads) => {
    const asideFolder = asideFolderOf(taskFolder);
    const gitDir = join(taskFolder.path, `${name}.git`);
    const worktree = reviewOf
      ? await openReview({ git, path, gitDir, branch, base }, clone, heads)
      : await openWorktree({ git, path, branch, base, asideFolder, author }, clone, heads);
    return { clone, worktree };
  });
  await setUpOnce(place.worktree, () => setUp(parts, { name, repository, ...place }));
  return { name, repository, ...place, tip: await branchTip(place.worktree) };
}
