import type { Change } from '../git/change.ts';
import { pushCommit } from '../git/push.ts';
import { resetTo, settle } from '../git/settle.ts';
import type { Log } from '../log.ts';
import type { CheckResult, PushResult, Work } from '../verdict/happened.ts';
import { isGood, type Verdict } from '../verdict/verdict.ts';
import type { ProjectSettings } from './project-settings.ts';
import { runCheck } from './run-check.ts';
import type { RepositoryPlace, Workplace } from './workplace.ts';

/** The result of one repository in a turn. */
export type RepositoryWork = {
  place: RepositoryPlace;
  change: Change | undefined;
  checks: CheckResult[];
  push: PushResult | undefined;
};
export type ChangedRepository = RepositoryWork & { change: Change };

export const changedOf = (repositories: readonly RepositoryWork[]): ChangedRepository[] =>
  repositories.filter((repository): repository is ChangedRepository => repository.change !== undefined);

export type FinishParts = {
  workplace: Workplace;
  settings: ProjectSettings;
  isCodeAsked: boolean;
  /** Of the commit of what the agent left uncommitted. */
  message: string;
  signal: AbortSignal;
  log: Log;
  /** What all that is known so far comes to. */
  verdictOf: (work: Work, repositories: readonly RepositoryWork[]) => Verdict;
};

/**
 * Commits, checks and pushes the changes of a turn, as long as nothing has failed: work that fails its checks is not
 * pushed.
 */
export async function finishWork(parts: FinishParts): Promise<{ verdict: Verdict; repositories: RepositoryWork[] }> {
  const { workplace, isCodeAsked, verdictOf } = parts;
  const work: Work = { isCodeAsked, change: 'none', problems: [], checks: [], push: undefined };
  const repositories: RepositoryWork[] = [];
  const verdict = () => verdictOf(work, repositories);
  for (const place of workplace.places) repositories.push(await commitTurn(parts, place, work));
  const changed = changedOf(repositories);
  if (isGood(verdict())) {
    for (const repository of changed) await check(parts, repository);
    work.checks = changed.flatMap(({ checks }) => checks);
  }
  if (isGood(verdict()) || verdict().kind === 'handoff') {
    for (const repository of changed) repository.push = await push(parts, repository);
    work.push = worstOf(changed.flatMap(({ push: pushed }) => pushed ?? []));
  }
  return { verdict: verdict(), repositories };
}

async function commitTurn(parts: FinishParts, place: RepositoryPlace, work: Work): Promise<RepositoryWork> {
  const { workplace, settings, message } = parts;
  const { author, asideFolder } = workplace;
  const limits = { maxFileBytes: settings.maxFileBytes };
  const { problems, change } = await settle(place.worktree, { author, message, limits, asideFolder });
  const isNew = problems.length > 0 || (change !== undefined && change.head !== place.tip);
  if (isNew) work.change = 'new';
  else if (change && work.change === 'none') work.change = 'earlier';
  const several = workplace.places.length > 1;
  work.problems = [...work.problems, ...problems.map((problem) => (several ? `${place.name}: ${problem}` : problem))];
  if (change) place.tip = change.head;
  return { place, change, checks: [], push: undefined };
}

async function check(
  { workplace, settings, signal, log }: FinishParts,
  { place, change, checks }: ChangedRepository,
): Promise<void> {
  const { name: folder, repository, worktree } = place;
  const several = workplace.places.length > 1;
  for (const one of repository.checks) {
    log(`${folder}: check ${one.name}`);
    const name = several ? `${folder}: ${one.name}` : one.name;
    checks.push(await runCheck({ ...one, name }, { folder: worktree.path, settings, signal }));
    await resetTo(worktree, change.head);
  }
}

async function push(
  { settings, log }: FinishParts,
  { place: { name, clone, worktree }, change }: ChangedRepository,
): Promise<PushResult> {
  if (!settings.pushes) return { kind: 'off' };
  log(`${name}: pushing ${worktree.branch}`);
  return pushCommit(clone, { commit: change.head, branch: worktree.branch, timeoutSeconds: settings.remoteSeconds });
}

/** What keeps one repository from being pushed keeps the task from being done. */
const worstOf = (results: readonly PushResult[]): PushResult | undefined =>
  results.find(({ kind }) => kind !== 'pushed' && kind !== 'off') ?? results[0];
