import { adoptBranch, bringHome, clearBranches } from './bring-home.ts';
import { type Change, changeOf, tooLargeCommitted } from './change.ts';
import { commitOf } from './refs.ts';
import { type Author, commitFiles, type Limits, tooMuch } from './commit.ts';
import { dropLocks, restoreGitFile, unfinishedOperation } from './put-right.ts';
import type { Worktree } from './worktree.ts';

export type SettleParts = {
  author: Author;
  /** Of the commit of what the agent left uncommitted. */
  message: string;
  limits: Limits;
  asideFolder: string;
};

/** After a turn: all that the agent did is on the branch of the task, or `problems` say to it what is in the way. */
export async function settle(
  worktree: Worktree,
  parts: SettleParts,
): Promise<{ problems: string[]; change: Change | undefined }> {
  const { author, message, limits, asideFolder } = parts;
  await restoreGitFile(worktree, asideFolder);
  await dropLocks(worktree);
  const unfinished = await unfinishedOperation(worktree);
  const problems = unfinished === undefined ? await tooMuch(worktree, limits) : [unfinished];
  if (problems.length > 0) return { problems, change: await changeOf(worktree) };
  const before = await branchTip(worktree);
  const refused =
    (await bringHome(worktree, author, () => commitFiles(worktree, author, message))) ??
    ((await branchTip(worktree)) === before ? await adoptBranch(worktree, author) : undefined);
  const change = await changeOf(worktree);
  if (refused !== undefined) return { problems: [refused], change };
  await clearBranches(worktree);
  return { problems: change ? await tooLargeCommitted(worktree, change, limits) : [], change };
}

export const branchTip = ({ git, branch }: Worktree): Promise<string | undefined> =>
  commitOf(git, `refs/heads/${branch}`);

/** Takes back what checks changed: all that was there before them is part of the commit. */
export async function resetTo({ git, path, branch }: Worktree, commit: string): Promise<void> {
  await git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  await git(['reset', '--quiet', '--hard', commit], { timeoutSeconds: 600 });
  await git(['clean', '--quiet', '--force', '--force', '-d', '--', '.'], { cwd: path, timeoutSeconds: 600 });
}
