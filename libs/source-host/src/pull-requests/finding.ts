import type { PullRequestReviewCommentEvent, PullRequestReviewEvent } from '@eas/contracts';
import { type Finding, placeOf } from '@eas/tasks';
import { cutText, readText } from '@eas/task-platform';
import { isOurReview } from './review-text.ts';
import { loginOf, numberedId, ownBranchOf, type PullRequest, type SuiteResult } from './pull-request.ts';

const redConclusions: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure']);
export const isRed = (conclusion: string): boolean => redConclusions.has(conclusion);

/** Who may have an agent work: what others write in a public repository is a comment, and no more. */
const trusted: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
const isTrusted = (association: string | null | undefined) => trusted.has(association ?? '');

/** Whether it is the open pull request of the branch on which a runner does its task: no other one is worked on. */
export const isWorkedOn = ({ taskId, shown }: PullRequest): boolean =>
  taskId !== null && shown !== null && shown.state === 'open' && !shown.isFork && shown.branch === ownBranchOf(taskId);

/** A suite of checks that failed for a commit; the key is the same for the same result alone. */
type RedChecks = { key: string; suite: string; sha: string };

/** `checks`: of failed checks, the ones that it is about. */
export type Found = Finding & { checks?: RedChecks };

/** What is wrong with a pull request now and was not before: red checks of its newest commit, and a conflict. */
export function newFindings(before: PullRequest, after: PullRequest): Found[] {
  const known = findingsOf(before);
  return [...findingsOf(after)].flatMap(([key, found]) => (known.has(key) ? [] : [found]));
}

/** What is wrong with it as it stands, each by a key that is the same for the same thing alone. */
function findingsOf(pullRequest: PullRequest): ReadonlyMap<string, Found> {
  const { shown, checks } = pullRequest;
  if (shown === null || !isWorkedOn(pullRequest)) return new Map();
  const name = numberedId(pullRequest);
  const red = Object.entries(checks).filter(([, { sha, conclusion }]) => sha === shown.headSha && isRed(conclusion));
  const base = shown.base === null ? 'its base branch' : `the branch ${shown.base}`;
  const conflict = {
    reason: `${name} cannot be merged.`,
    text: `Your pull request ${name} cannot be merged: ${shown.branch} has conflicts with ${base}. Merge ${base} into your branch and resolve the conflicts.`,
    sha: shown.headSha,
  };
  const ofChecks = red.map(([suite, result]): [string, Found] => {
    const { sha, conclusion, attempt = 1 } = result;
    const key = `checks ${suite} ${sha} ${conclusion} ${attempt}`;
    return [key, { ...findingOfChecks(name, result), checks: { key, suite, sha } }];
  });
  return new Map<string, Found>([
    ...ofChecks,
    ...(shown.hasConflict === true ? [[`conflict ${shown.headSha}`, conflict] as const] : []),
  ]);
}

function findingOfChecks(name: string, { check, conclusion, sha, url }: SuiteResult): Finding {
  const what = `The checks ${JSON.stringify(check)} of ${name} ended with ${conclusion}`;
  const where = url === undefined ? '' : ` See ${url}.`;
  return {
    reason: `${what}.`.slice(0, 1_000).toWellFormed(),
    text: `${what} for your commit ${sha.slice(0, 12)}.${where} Find the cause and mend it, and run what was checked before you end.`,
    sha,
  };
}

/** Longest text of people that an agent gets in one message. */
export const maxText = 16_384;

/** A review that asks for changes, or says something without a decision. */
export function findingOfReview(review: PullRequestReviewEvent['review'], conclusion: string): Finding | undefined {
  const body = readText(review.body).trim();
  if (isOurReview(body)) return undefined;
  const asks = conclusion === 'changes_requested';
  if (!isTrusted(review.author_association) || !(asks || (conclusion === 'commented' && body !== ''))) return undefined;
  const who = loginOf(review.user);
  const what = asks ? `${who} asks for changes of your pull request` : `${who} writes about your pull request`;
  const url = review.html_url ? ` (${review.html_url})` : '';
  return {
    reason: asks ? `${who} asks for changes.` : `${who} reviewed the pull request.`,
    text: cutText(`${what}${url}${body === '' ? '. See the comments on its lines.' : `:\n\n${body}`}`, maxText),
    sha: null,
  };
}

type ReviewComment = PullRequestReviewCommentEvent['comment'];

export function findingOfComment({ user, author_association, ...comment }: ReviewComment): Finding | undefined {
  if (!isTrusted(author_association)) return undefined;
  const who = loginOf(user);
  const hunk = readText(comment.diff_hunk).split('\n').slice(-maxHunkLines);
  const quoted = hunk.map((line) => `> ${line}`).join('\n');
  const body = readText(comment.body).trim();
  return {
    reason: `${who} commented on ${comment.path}.`.slice(0, 1_000).toWellFormed(),
    text: cutText(`${who} comments on your pull request, ${placeOfComment(comment)}:\n\n${quoted}\n\n${body}`, maxText),
    sha: null,
  };
}

const maxHunkLines = 8;

/** The file, and the line as it is now, or was. */
export function placeOfComment({
  path,
  line,
  original_line: was,
}: Pick<ReviewComment, 'path' | 'line' | 'original_line'>): string {
  const number = line ?? was;
  return placeOf({ path, ...(typeof number === 'number' ? { line: number } : {}) });
}
