import { TaskFailure } from '../task-failure.ts';
import { type Author, authorEnv } from './commit.ts';
import { type Branch, branchesOf, commitOf, isPartOf, isPublished } from './refs.ts';
import type { Worktree } from './worktree.ts';

/**
 * Brings what an agent did on another branch, or on none, to the branch of its task. `commit` commits what is not
 * committed yet. Gives a sentence for the agent when something is in the way.
 */
export async function bringHome(
  worktree: Worktree,
  author: Author,
  commit: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { git, branch } = worktree;
  const home = `refs/heads/${branch}`;
  const head = (await git(['symbolic-ref', '--quiet', 'HEAD'], { codes: [1] })).stdout.trim();
  if (head === home) return commit();
  const from = await commitOf(git, 'HEAD');
  if (!from) throw new TaskFailure(`The agent left the branch ${branch} for one without commits.`, true);
  // Detached: what is not committed yet must not become a commit of the branch of others.
  await git(['update-ref', '--no-deref', 'HEAD', from]);
  const problem = await commit();
  if (problem !== undefined) return problem;
  const tip = (await commitOf(git, 'HEAD')) ?? from;
  const start = await commitOf(git, home);
  if (!start || (await isPartOf(git, start, tip))) {
    await git(['update-ref', home, tip]);
    await git(['symbolic-ref', 'HEAD', home]);
    return undefined;
  }
  await git(['checkout', '--quiet', '--no-guess', branch, '--']);
  const isNothingNew = (await isPartOf(git, tip, start)) || (await isPublished(git, tip));
  return isNothingNew ? undefined : mergeInto(worktree, author, { tip, from: nameOf(head) });
}

const nameOf = (ref: string) => (ref === '' ? 'no branch' : `the branch ${ref.replace(/^refs\/heads\//, '')}`);

type Commits = { tip: string; from: string };

/** Merges commits of an agent into the branch that is checked out; with conflicts they are kept under another name. */
async function mergeInto(worktree: Worktree, author: Author, { tip, from }: Commits): Promise<string | undefined> {
  const { git, branch } = worktree;
  if (await tryMerge(worktree, author, tip)) return undefined;
  const kept = `refs/left/${branch}/${tip.slice(0, 12)}`;
  await git(['update-ref', kept, tip]);
  return `Your commits are on ${from} and do not merge with ${branch}. They are kept as ${kept}: bring them to ${branch}.`;
}

/** Merges a commit into the branch that is checked out; false: there are conflicts, and nothing is changed. */
export async function tryMerge({ git }: Worktree, author: Author, commit: string): Promise<boolean> {
  const { code } = await git(['merge', '--quiet', '--no-edit', commit], { codes: [1], env: authorEnv(author) });
  if (code !== 0) await git(['merge', '--abort'], { codes: [128] });
  return code === 0;
}

/** Commits on branches that the agent made in this worktree and left again, when the branch of the task has none of them. */
export async function adoptBranch(worktree: Worktree, author: Author): Promise<string | undefined> {
  const { git, branch } = worktree;
  for (const { ref, sha } of await ownBranches(worktree)) {
    if ((await isPartOf(git, sha, `refs/heads/${branch}`)) || (await isPublished(git, sha))) continue;
    return mergeInto(worktree, author, { tip: sha, from: nameOf(ref) });
  }
  return undefined;
}

/** The clone is shared: a branch that an agent left there would be a trap for the next one. Its commits are kept. */
export async function clearBranches(worktree: Worktree): Promise<void> {
  const { git, branch } = worktree;
  for (const { ref, sha } of await ownBranches(worktree)) {
    if (!(await isPartOf(git, sha, `refs/heads/${branch}`)) && !(await isPublished(git, sha)))
      await git(['update-ref', `refs/left/${branch}/${sha.slice(0, 12)}`, sha]);
    await git(['update-ref', '-d', ref, sha]);
  }
}

/** Branches that are of no task, are checked out nowhere, and whose commit was once checked out in this worktree. */
async function ownBranches({ git }: Worktree): Promise<Branch[]> {
  const branches = (await branchesOf(git)).filter(({ ref, isUsed }) => !isUsed && !ref.startsWith('refs/heads/task/'));
  if (branches.length === 0) return [];
  const log = await git(['reflog', 'show', '--format=%H', '--max-count=1000', 'HEAD'], { codes: [128] });
  const seen = new Set(log.stdout.split('\n'));
  return branches.filter(({ sha }) => seen.has(sha));
}
