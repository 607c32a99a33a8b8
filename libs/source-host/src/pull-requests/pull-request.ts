import { isDeepStrictEqual } from 'node:util';
import type { PullRequestEvent } from '@eas/contracts';
import { readMillis } from '@eas/task-platform';

export type PullRequestKey = { integrationRef: string; repository: string; number: number };

/** A pull request as one event shows it. */
export type ShownPullRequest = {
  /** Unix milliseconds. */
  at: number;
  state: 'open' | 'closed' | 'merged';
  title: string;
  url: string;
  author: string;
  branch: string;
  headSha: string | null;
  /** The branch that it is to be merged into; null: not known. */
  base: string | null;
  /** Whether it cannot be merged; null: not known. */
  hasConflict: boolean | null;
  /** Whether its branch is in another repository, where anybody can give it any name. */
  isFork: boolean;
};

/** The newest result of a suite of checks; `attempt`: of the run, where it is not the first. */
export type SuiteResult = {
  at: number;
  sha: string;
  check: string;
  conclusion: string;
  url?: string;
  attempt?: number;
};

/** `shown` is null until an event shows the pull request itself: checks may name it before. */
export type PullRequest = PullRequestKey & {
  shown: ShownPullRequest | null;
  checks: Record<string, SuiteResult>;
  taskId: string | null;
};

/** The pull request, or issue, as one text: "org/repository#7". */
export const numberedId = ({ repository, number }: Pick<PullRequestKey, 'repository' | 'number'>): string =>
  `${repository}#${number}`;

/** The branch on which a runner does a task: another one may be a person's. */
export const ownBranchOf = (taskId: string): string => `task/${taskId}`;

/** As for the titles of tasks. */
const maxTitle = 500;

/** A deleted account has no login any more. */
export const loginOf = (user: { login: string } | null | undefined): string => user?.login ?? 'ghost';

/** What an event shows of its pull request; one that has no date is as old as its receipt. */
export function readShown(
  { pull_request: shown, repository }: Pick<PullRequestEvent, 'pull_request' | 'repository'>,
  receivedAt: Date,
): ShownPullRequest {
  const { state, merged, merged_at: mergedAt } = shown;
  const isMerged = merged === true || (mergedAt ?? null) !== null;
  return {
    at: readMillis(shown.updated_at) ?? receivedAt.getTime(),
    state: isMerged ? 'merged' : state === 'closed' ? 'closed' : 'open',
    title: shown.title.slice(0, maxTitle).toWellFormed(),
    url: shown.html_url,
    author: loginOf(shown.user),
    branch: shown.head.ref,
    headSha: shown.head.sha ?? null,
    base: shown.base?.ref ?? null,
    hasConflict: typeof shown.mergeable === 'boolean' ? !shown.mergeable : null,
    // The repository of the branch may be gone.
    isFork: shown.head.repo === null || (shown.head.repo?.full_name ?? repository.full_name) !== repository.full_name,
  };
}

const ranks = { open: 0, closed: 1, merged: 2 };

const conflictRank = ({ hasConflict }: ShownPullRequest) => (hasConflict === null ? 0 : hasConflict ? 2 : 1);

/**
 * The newer of two. The source host's dates are whole seconds: of equal ones the state decides, then what is known of
 * conflicts, then their text, so that any order ends the same.
 */
export function newerOf(known: ShownPullRequest | null, shown: ShownPullRequest): ShownPullRequest {
  if (known === null) return shown;
  const difference =
    shown.at - known.at || ranks[shown.state] - ranks[known.state] || conflictRank(shown) - conflictRank(known);
  if (difference !== 0) return difference > 0 ? shown : known;
  return textOf(shown) > textOf(known) ? shown : known;
}

/** As newerOf; what only the other one says of the conflicts of the same commit stays known. */
export function newestOf(known: ShownPullRequest | null, shown: ShownPullRequest): ShownPullRequest {
  const newest = newerOf(known, shown);
  const other = newest === shown ? known : shown;
  const isKeptBack = newest.hasConflict === null && other?.headSha === newest.headSha && other.hasConflict !== null;
  return isKeptBack ? { ...newest, hasConflict: other.hasConflict } : newest;
}

const textOf = ({ title, url, author, branch, headSha, base }: ShownPullRequest) =>
  JSON.stringify([title, url, author, branch, headSha, base]);

const maxSuites = 50;

/**
 * The results with one more, which counts unless a newer one of its suite is known. The oldest beyond 50 are dropped. An
 * event of a suite does not say the attempt; that of its workflow may be the older one, by a second.
 */
export function withResult(
  checks: Record<string, SuiteResult>,
  suite: string,
  result: SuiteResult,
): Record<string, SuiteResult> {
  const all = new Map(Object.entries(checks));
  const known = all.get(suite);
  const newer = known && !isNewer(result, known) ? known : result;
  const attempt = known?.sha === result.sha ? Math.max(known.attempt ?? 1, result.attempt ?? 1) : newer.attempt;
  const kept = attempt !== undefined && attempt > 1 ? { ...newer, attempt } : newer;
  if (known && isDeepStrictEqual(kept, known)) return checks;
  const newest = [...all.set(suite, kept)].sort(([a, one], [b, other]) => other.at - one.at || (a < b ? -1 : 1));
  return Object.fromEntries(newest.slice(0, maxSuites));
}

const isNewer = (result: SuiteResult, known: SuiteResult) =>
  result.at === known.at ? JSON.stringify(result) > JSON.stringify(known) : result.at > known.at;
