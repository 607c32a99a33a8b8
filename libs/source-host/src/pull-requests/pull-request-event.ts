import {
  type ChecksEvent,
  type PullRequestEvent,
  pullRequestEvent,
  type PullRequestReviewCommentEvent,
  pullRequestReviewCommentEvent,
  type PullRequestReviewEvent,
  pullRequestReviewEvent,
} from '@eas/contracts';
import { checkShape } from '@eas/task-platform';
import { findingOfComment, placeOfComment } from './finding.ts';
import { type Followed, namesNone, ofPullRequest, type ReportedPullRequest, storable } from './followed.ts';
import { commentActions, readIssueComment } from './reported-issue.ts';
import { readNamedTasks } from './named-tasks.ts';
import { isOurReview } from './review-text.ts';
import { numberedId, readShown, type ShownPullRequest } from './pull-request.ts';
import {
  pullRequestActions,
  readChecks,
  stageOfChecks,
  stageOfPullRequest,
  stageOfReview,
} from './pull-request-stage.ts';

export const pullRequests: Followed = {
  actions: pullRequestActions,
  check: (body) => checkShape(pullRequestEvent, body),
  idOf: ({ repository, number }: PullRequestEvent) => numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestEvent, receivedAt) {
    const shown = readShown(body, receivedAt);
    return ofPullRequest({ ...reportedOf(body, body.number, shown), stage: stageOfPullRequest(body, shown) });
  },
};

export const reviews: Followed = {
  actions: new Set(['submitted', 'dismissed']),
  check: (body) => checkShape(pullRequestReviewEvent, body),
  idOf: ({ repository, pull_request: { number } }: PullRequestReviewEvent) =>
    numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestReviewEvent, receivedAt) {
    const shown = readShown(body as never, receivedAt);
    return ofPullRequest({ ...reportedOf(body, body.pull_request.number, shown), stage: stageOfReview(body, shown) });
  },
};

export const reviewComments: Followed = {
  actions: commentActions,
  check: (body) => checkShape(pullRequestReviewCommentEvent, body),
  idOf: ({ repository, pull_request: { number } }: PullRequestReviewCommentEvent) =>
    numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestReviewCommentEvent, receivedAt) {
    const { action, comment } = body;
    const shown = readShown(body as never, receivedAt);
    const reported = { ...reportedOf(body, body.pull_request.number, shown), stage: null };
    const read = readIssueComment({ action, comment }, receivedAt);
    if (!read || isOurReview(read.content ?? '')) return ofPullRequest(reported);
    const finding = findingOfComment(comment);
    const content = read.content === null ? null : `${placeOfComment(comment)}\n\n${read.content}`;
    // Comments on lines and others have ids of their own.
    const kept = { ...read, id: `line ${read.id}`, content, ...(finding ? { finding } : {}) };
    return ofPullRequest({ ...reported, comments: [kept] });
  },
};

function reportedOf(
  {
    repository: { full_name: repository },
    pull_request: { body },
  }: Pick<PullRequestEvent, 'repository' | 'pull_request'>,
  number: number,
  shown: ShownPullRequest,
): Omit<ReportedPullRequest, 'stage'> {
  const named = readNamedTasks(repository, { branch: shown.branch, title: shown.title, description: body ?? '' });
  return { repository, numbers: [number], shown, named, checks: null, comments: [] };
}

/** A commit as what an event of checks is about. */
export const commitId = (repository: string, sha: string): string => storable(`${repository}@${sha}`);

/** Pull requests that one event of checks is applied to. */
export const maxChecked = 20;

export const checksWith = (check: Followed['check']): Followed => ({
  actions: new Set(['completed']),
  check,
  idOf: (body: ChecksEvent) => commitId(body.repository.full_name, checkedBy(body).head_sha),
  read(body: ChecksEvent, receivedAt) {
    const listed = (checkedBy(body).pull_requests ?? []).flatMap(({ number }) => number ?? []);
    const checks = readChecks(body, receivedAt);
    return ofPullRequest({
      repository: body.repository.full_name,
      numbers: [...new Set(listed)].slice(0, maxChecked),
      shown: null,
      stage: stageOfChecks(checks),
      named: namesNone,
      checks,
      comments: [],
    });
  },
});

function checkedBy(body: ChecksEvent): { head_sha: string; pull_requests?: { number?: number | null }[] | null } {
  return ('check_suite' in body ? body.check_suite : body.workflow_run) as ReturnType<typeof checkedBy>;
}
