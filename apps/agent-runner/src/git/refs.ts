import type { Git, GitOptions } from './git.ts';

/** The commit of a ref; undefined: there is none. */
export async function commitOf(git: Git, ref: string, options?: GitOptions): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`];
  const { code, stdout } = await git(args, { ...options, codes: [1, 128] });
  return code === 0 ? stdout.trim() : undefined;
}

/** Whether all commits of `older` are part of `newer`. */
export async function isPartOf(git: Git, older: string, newer: string): Promise<boolean> {
  return (await git(['merge-base', '--is-ancestor', older, newer], { codes: [1] })).code === 0;
}

/** Whether a commit is of a branch of the remote: it is the work of others. */
export async function isPublished(git: Git, commit: string): Promise<boolean> {
  const { stdout } = await git(['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes']);
  return stdout !== '';
}

/** `isUsed`: it is checked out in a worktree. */
export type Branch = { ref: string; sha: string; isUsed: boolean };

/** The branch with the newest commit first. */
export async function branchesOf(git: Git): Promise<Branch[]> {
  const format = '%(objectname) %(refname) %(worktreepath)';
  const { stdout } = await git(['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads']);
  return stdout.split('\n').flatMap((line) => {
    const [sha = '', ref = '', path = ''] = line.split(' ');
    return ref === '' ? [] : [{ ref, sha, isUsed: path !== '' }];
  });
}
