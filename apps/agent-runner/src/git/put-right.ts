import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Worktree } from './worktree.ts';

/** An agent may remove the file by which a folder is a worktree, or make a repository of its own in its place. */
export async function restoreGitFile({ path, gitDir }: Worktree, asideFolder: string): Promise<void> {
  const file = join(path, '.git');
  const text = `gitdir: ${gitDir}\n`;
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() && (await readFile(file, 'utf8')) === text) return;
  if (found) {
    await mkdir(asideFolder, { recursive: true, mode: 0o700 });
    await rename(file, join(asideFolder, `${basename(path)}.git-${Date.now()}`));
  }
  await writeFile(file, text);
}

/** Locks of git calls that were killed: the worktree is ours alone, so they have no owner. */
export async function dropLocks({ gitDir }: Worktree): Promise<void> {
  const names = await readdir(gitDir);
  for (const name of names) if (name.endsWith('.lock')) await rm(join(gitDir, name), { force: true });
}

/** What git can be in the middle of: a file of its state, and the command that ends it. */
const operations = {
  'rebase-merge': 'rebase',
  'rebase-apply/applying': 'am',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
} as const;
type Operation = (typeof operations)[keyof typeof operations];

async function runningOperation({ gitDir }: Worktree): Promise<Operation | undefined> {
  for (const [file, name] of Object.entries(operations))
    if (await stat(join(gitDir, file)).catch(() => undefined)) return name;
  return undefined;
}

/** Takes back what git is in the middle of. */
export async function abortOperations(worktree: Worktree): Promise<void> {
  const name = await runningOperation(worktree);
  if (!name) return;
  await worktree.git([name, '--abort'], { codes: [1, 128] });
  // It cannot be taken back where files have changed since: then it is forgotten, and the files stay.
  if (await runningOperation(worktree)) {
    await worktree.git([name, '--quit'], { codes: [1, 128, 129] });
    await worktree.git(['reset', '--quiet', '--mixed']);
  }
}

/** What the agent has to finish before anything can be committed: a sentence. A merge without conflicts is none. */
export async function unfinishedOperation(worktree: Worktree): Promise<string | undefined> {
  const name = await runningOperation(worktree);
  const { stdout } = await worktree.git(['ls-files', '--unmerged', '-z'], { maxBytes: 64 * 1024, mayBeCut: true });
  const conflicts = new Set(stdout.split('\0').flatMap((line) => line.split('\t').slice(1)));
  if (conflicts.size > 0) return `There are conflicts in ${[...conflicts].slice(0, 20).join(', ')}. Resolve them.`;
  return name === 'rebase' || name === 'am' ? `A git ${name} is not finished. Finish or abort it.` : undefined;
}
