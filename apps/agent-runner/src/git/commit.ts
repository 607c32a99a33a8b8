import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskFailure } from '../task-failure.ts';
import { canPass, plain } from './git-failure.ts';
import type { Git } from './git.ts';
import { readStatus } from './git-lists.ts';
import type { Worktree } from './worktree.ts';

/** Who an agent is in commits. */
export type Author = { name: string; email: string };

/** The environment by which commits are those of the agent. */
export const authorEnv = ({ name, email }: Author) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

export type Limits = {
  /** Larger files are no part of a commit. */
  maxFileBytes: number;
};

const maxFiles = 10_000;
const addSeconds = 600;

/** Adds and commits all files, if there is anything to commit. Gives a sentence for the agent when a hook refuses. */
export async function commitFiles(
  { git, path }: Worktree,
  author: Author,
  message: string,
): Promise<string | undefined> {
  await git(['add', '--all', '--', '.'], { cwd: path, timeoutSeconds: addSeconds });
  const embedded = await embeddedRepositories(git);
  if (embedded.length > 0)
    return `These folders are repositories of their own, of which nothing would be committed: ${embedded.join(', ')}. Remove their .git, or the folders.`;
  if (await isCommitted(git)) return undefined;
  const committing = ['commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  const { code, stderr } = await git(committing, {
    input: message,
    env: authorEnv(author),
    codes: anyCode,
    timeoutSeconds: addSeconds,
  });
  if (code === 0) return undefined;
  if (/No space left|Disk quota/.test(stderr))
    throw new TaskFailure(`git commit failed: ${plain(stderr)}`, canPass(stderr));
  return `The commit was refused:\n\n${plain(stderr)}`;
}

const anyCode = Array.from({ length: 256 }, (_, code) => code);

/** Nothing is staged, and no merge waits to be committed. */
async function isCommitted(git: Git): Promise<boolean> {
  const { code } = await git(['diff', '--cached', '--quiet', '--no-ext-diff', '--ignore-submodules=none'], {
    codes: [1],
  });
  const merge = await git(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { codes: [1, 128] });
  return code === 0 && merge.code !== 0;
}

/** Repositories below the worktree that are no submodules: git would keep their commit alone. They are not staged any more. */
async function embeddedRepositories(git: Git): Promise<string[]> {
  const { stdout } = await git([
    'diff',
    '--cached',
    '--raw',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--diff-filter=AT',
  ]);
  const parts = stdout.split('\0');
  const added = parts.flatMap((part, index) => (/^:\d+ 160000 /.test(part) ? [parts[index + 1] ?? ''] : []));
  if (added.length === 0) return [];
  const listed = await git(['config', '--file', '.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`], {
    codes: [1],
  });
  const submodules = new Set(listed.stdout.split('\n').map((line) => line.slice(line.indexOf(' ') + 1)));
  const embedded = added.filter((folder) => !submodules.has(folder));
  if (embedded.length > 0) await git(['reset', '--quiet', '--', ...embedded], { env: { GIT_LITERAL_PATHSPECS: '1' } });
  return embedded;
}

/** What is too much for a commit: sentences for the agent. Nothing is read but names and sizes. */
export async function tooMuch({ git, path }: Worktree, { maxFileBytes }: Limits): Promise<string[]> {
  const status = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
  const { stdout, isCut } = await git(status, { mayBeCut: true });
  const files = readStatus(stdout);
  if (isCut || files.length > maxFiles)
    return [`More than ${maxFiles} files are changed. Add what is generated or installed to .gitignore.`];
  const problems: string[] = [];
  for (const file of files) {
    const found = await lstat(join(path, file)).catch(() => undefined);
    if (found && found.size > maxFileBytes) problems.push(tooLarge(file, found.size, maxFileBytes));
  }
  return problems.slice(0, 20);
}

export const tooLarge = (file: string, bytes: number, maxBytes: number) =>
  `${file} has ${sizeOf(bytes)}, more than the ${sizeOf(maxBytes)} that a file may have. Remove it, or add it to .gitignore.`;

const sizeOf = (bytes: number) => (bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
