import { spawnSync } from 'node:child_process';

/** Why the commit of a release cannot be checked out, and what to do. */
export class NoReleaseCommit extends Error {}

/**
 * The commit of a release in the repository of a folder: that of its tag, or the one in `commits` if it has none.
 *
 * @throws NoReleaseCommit
 */
export function findReleaseCommit(version: string, commits: Readonly<Record<string, string>>, folder: string): string {
  const tag = `v${version}`;
  const isThere = (name: string): boolean => resolveCommit(name, folder) !== undefined;
  const commit = isThere(`refs/tags/${tag}`) ? resolveCommit(`refs/tags/${tag}`, folder) : commits[version];
  if (commit === undefined)
    throw new NoReleaseCommit(`${tag} has no tag here and is not in docs/released/commits.json: git fetch --tags`);
  if (!isThere(commit))
    throw new NoReleaseCommit(`This clone does not have commit ${commit} of ${tag}: git fetch --unshallow`);
  return commit;
}

function resolveCommit(name: string, folder: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
