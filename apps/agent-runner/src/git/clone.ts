import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { TaskFailure } from '../task-failure.ts';
import type { Git, GitOutput } from './git.ts';
import { withLock } from './lock.ts';
import { cloneFolder } from './folder-names.ts';

/** The bare clone of a repository that all its tasks on this machine share. */
export type Clone = {
  url: string;
  dir: string;
  /** Calls git in the clone, with its own hooks. */
  git: Git;
};

export type Heads = ReadonlyMap<string, string>;

type CloneParts = {
  git: Git;
  /** The folder of all clones. */
  root: string;
  signal: AbortSignal;
  /** Longest time for a call that reaches the remote. */
  timeoutSeconds: number;
};

/** Runs with the clone of a repository, made or brought up to date: one at a time on this machine. */
export async function withClone<T>(
  parts: CloneParts,
  { url, branches }: { url: string; branches: readonly string[] },
  run: (clone: Clone, heads: Heads) => Promise<T>,
): Promise<T> {
  const dir = join(parts.root, cloneFolder(url));
  await mkdir(parts.root, { recursive: true, mode: 0o700 });
  return withLock(`${dir}.lock`, parts.signal, async () => {
    const clone = await openClone(parts, { url, dir });
    await writeFile(usedFile(dir), '');
    return run(clone, await fetchBranches(parts, clone, branches));
  });
}

/** Its time is when the clone was last used. */
export const usedFile = (dir: string): string => join(dir, 'agent-runner-used');

async function openClone({ git }: CloneParts, { url, dir }: { url: string; dir: string }): Promise<Clone> {
  const clone = cloneAt(git, { url, dir });
  const isThere = await stat(dir).catch(() => undefined);
  if (isThere) {
    const found = await clone.git(['rev-parse', '--is-bare-repository'], { codes: [128] });
    if (found.stdout.trim() === 'true') return clone;
    // A broken clone is kept for inspection, and made again.
    await rename(dir, `${dir}.broken-${Date.now()}`);
  }
  const part = `${dir}.part`;
  await rm(part, { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', '--template=', '--', part]);
  await mkdir(join(part, 'hooks'), { recursive: true });
  await appendFile(join(part, 'config'), ownConfig(url, dir));
  await rename(part, dir);
  return clone;
}

/** For the agent's own calls of git; those of the runner depend on nothing that is written there. */
const ownConfig = (url: string, dir: string) => `[remote "origin"]
\turl = ${JSON.stringify(url)}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[core]
\thooksPath = ${JSON.stringify(join(dir, 'hooks'))}
\tlogAllRefUpdates = true
[protocol "ext"]
\tallow = never
`;

export function cloneAt(git: Git, { url, dir }: { url: string; dir: string }): Clone {
  return { url, dir, git: gitIn(git, { GIT_DIR: dir }, { cwd: dir, hooks: join(dir, 'hooks') }) };
}

/** Git of one repository or worktree, whatever is written in the files there. */
export function gitIn(git: Git, ofPlace: Record<string, string>, { cwd, hooks }: { cwd: string; hooks: string }): Git {
  return (args, options = {}) =>
    git(args, {
      cwd,
      ...options,
      env: { ...ofPlace, ...options.env },
      settings: { ...options.settings, 'core.hooksPath': hooks },
    });
}

/** Fetches those of the branches that the remote has, and forgets the others. */
async function fetchBranches(parts: CloneParts, clone: Clone, branches: readonly string[]): Promise<Heads> {
  const remote = { timeoutSeconds: parts.timeoutSeconds };
  const refs = branches.map((name) => `refs/heads/${name}`);
  const { stdout } = await clone.git(['ls-remote', '--heads', '--', clone.url, ...refs], remote);
  const heads = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const [sha = '', ref = ''] = line.split('\t');
    const name = ref.replace(/^refs\/heads\//, '');
    if (branches.includes(name)) heads.set(name, sha);
  }
  const wanted = [...heads.keys()].map((name) => `+refs/heads/${name}:refs/remotes/origin/${name}`);
  const fetching = ['fetch', '--quiet', '--', clone.url, ...wanted];
  if (wanted.length > 0) await afterOldLocks(clone, () => clone.git(fetching, remote));
  for (const name of branches)
    if (!heads.has(name)) await clone.git(['update-ref', '-d', `refs/remotes/origin/${name}`]);
  return heads;
}

const oldLockMs = 300_000;

/** A machine that went down leaves locks of git: an old one has no owner. */
async function afterOldLocks(clone: Clone, call: () => Promise<GitOutput>): Promise<GitOutput> {
  try {
    return await call();
  } catch (error) {
    const [, path] = /Unable to create '([^']+\.lock)': File exists/.exec(String(error)) ?? [];
    const lock = path === undefined ? undefined : resolve(path);
    const found = lock?.startsWith(`${clone.dir}${sep}`) ? await stat(lock).catch(() => undefined) : undefined;
    if (!lock || !found || Date.now() - found.mtimeMs < oldLockMs) throw error;
    await rm(lock, { force: true });
    return call();
  }
}

/** Throws when the remote has no base branch to begin from. */
export function requireBase(heads: Heads, { base, url }: { base: string; url: string }): string {
  const sha = heads.get(base);
  if (sha === undefined) throw new TaskFailure(`${url} has no branch ${base}, the base branch of the project.`, false);
  return sha;
}
