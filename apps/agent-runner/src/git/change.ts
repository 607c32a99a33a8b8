import { commitOf } from './refs.ts';
import { type Limits, tooLarge } from './commit.ts';
import { type FileChange, readBlobs, readNumstat } from './git-lists.ts';
import type { Worktree } from './worktree.ts';

/** What the branch of a task adds to its base branch. */
export type Change = {
  /** Where the branch left the base branch, and where it is now. */
  base: string;
  head: string;
  subject: string;
  commits: number;
  files: number;
  insertions: number;
  deletions: number;
  /** The first of the files. */
  listed: FileChange[];
};

const maxListed = 300;

/** Undefined: nothing. */
export async function changeOf(worktree: Worktree): Promise<Change | undefined> {
  const { git, base: baseBranch } = worktree;
  const head = (await commitOf(git, 'HEAD')) ?? '';
  const { stdout } = await git(['merge-base', `refs/remotes/origin/${baseBranch}`, 'HEAD'], { codes: [1] });
  const base = stdout.trim() || emptyTree;
  const numstat = await git(['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', base, head]);
  const files = readNumstat(numstat.stdout);
  if (files.length === 0) return undefined;
  const count = await git(['rev-list', '--count', ...(base === emptyTree ? [head] : [`${base}..${head}`])]);
  const sum = (of: (file: FileChange) => number | null) => files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return {
    base,
    head,
    subject: (await git(['log', '--max-count=1', '--format=%s', head])).stdout.trim(),
    commits: Number(count.stdout),
    files: files.length,
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
    listed: files.slice(0, maxListed),
  };
}

/** What a branch is compared with that has nothing in common with its base branch. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What commits of the agent itself have that is too large: sentences for it. */
export async function tooLargeCommitted(worktree: Worktree, { base, head }: Change, limits: Limits): Promise<string[]> {
  const blobs = await blobsOf(worktree, { base, head });
  const large = blobs.filter(({ bytes }) => bytes > limits.maxFileBytes);
  return large.slice(0, 20).map(({ path, bytes }) => {
    const sentence = tooLarge(path, bytes, limits.maxFileBytes);
    return `${sentence} It has to go from all commits of the branch.`;
  });
}

async function blobsOf({ git }: Worktree, { base, head }: Pick<Change, 'base' | 'head'>) {
  const range = base === emptyTree ? [head] : [head, `^${base}`];
  const { stdout } = await git(['rev-list', '--objects', ...range]);
  const format = '%(objecttype) %(objectsize) %(rest)';
  return readBlobs((await git(['cat-file', `--batch-check=${format}`], { input: stdout })).stdout);
}

/** A patch that `git apply` takes; undefined: it is larger than `maxBytes`. */
export async function patchOf(worktree: Worktree, change: Change, maxBytes: number): Promise<string | undefined> {
  const { base, head } = change;
  const blobs = await blobsOf(worktree, change);
  // The content of a large binary file is not even read: it would not fit.
  const binary = blobs.some(({ bytes }) => bytes > maxBytes) ? [] : ['--binary'];
  const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', ...binary, base, head];
  const { stdout, isCut } = await worktree.git(args, { maxBytes, mayBeCut: true });
  return isCut ? undefined : stdout;
}
