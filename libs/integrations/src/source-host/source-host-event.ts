import {
  type ChecksEvent,
  checkSuiteEvent,
  type IssueCommentEvent,
  issueCommentEvent,
  type IssuesEvent,
  issuesEvent,
  type PullRequestEvent,
  pullRequestEvent,
  type PullRequestReviewEvent,
  pullRequestReviewEvent,
  workflowRunEvent,
} from '@eas/contracts';
import type { JsonObject } from '@eas/core';
import { checkShape } from '../platform/platform-event.ts';
import type { TaskNews } from '../platform/task-change.ts';
import type { CommentChange } from '../platform/task-link.ts';
import { commentActions, issueActions, readIssueComment, readIssueNews } from './issue-news.ts';
import { readNamedTasks, type NamedTasks } from './named-tasks.ts';
import { numberedId, readShown, type ShownPullRequest } from './pull-request.ts';
import {
  type CompletedChecks,
  pullRequestActions,
  readChecks,
  type Stage,
  stageOfChecks,
  stageOfPullRequest,
  stageOfReview,
} from './pull-request-stage.ts';

/** What an event says of pull requests of a repository. */
export type PullRequestNews = {
  repository: string;
  /** Those that it names. Checks are also of those whose newest commit is theirs. */
  numbers: number[];
  shown: ShownPullRequest | null;
  /** Null: a comment. */
  stage: Stage | null;
  named: NamedTasks;
  checks: CompletedChecks | null;
  comments: CommentChange[];
};

/** What an event says of a pull request, or of an issue. */
export type SourceHostNews =
  { kind: 'pull request'; news: PullRequestNews } | { kind: 'issue'; externalId: string; news: TaskNews };

type Followed = {
  actions: ReadonlySet<string>;
  check(body: JsonObject): void;
  idOf(body: never): string;
  read(body: never, receivedAt: Date): SourceHostNews;
};

const namesNone: NamedTasks = { ids: [], tickets: [] };

const ofPullRequest = (news: PullRequestNews): SourceHostNews => ({ kind: 'pull request', news });

const pullRequests: Followed = {
  actions: pullRequestActions,
  check: (body) => checkShape(pullRequestEvent, body),
  idOf: ({ repository, number }: PullRequestEvent) => numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestEvent, receivedAt) {
    const shown = readShown(body, receivedAt);
    return ofPullRequest({ ...newsOf(body, body.number, shown), stage: stageOfPullRequest(body, shown) });
  },
};

const reviews: Followed = {
  actions: new Set(['submitted', 'dismissed']),
  check: (body) => checkShape(pullRequestReviewEvent, body),
  idOf: ({ repository, pull_request: { number } }: PullRequestReviewEvent) =>
    numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestReviewEvent, receivedAt) {
    const shown = readShown(body as never, receivedAt);
    return ofPullRequest({ ...newsOf(body, body.pull_request.number, shown), stage: stageOfReview(body, shown) });
  },
};

function newsOf(
  { repository: { full_name: repository }, pull_request: { body } }: PullRequestEvent | PullRequestReviewEvent,
  number: number,
  shown: ShownPullRequest,
): Omit<PullRequestNews, 'stage'> {
  const named = readNamedTasks(repository, { branch: shown.branch, title: shown.title, description: body ?? '' });
  return { repository, numbers: [number], shown, named, checks: null, comments: [] };
}

/** A commit as what an event of checks is about. */
export const commitId = (repository: string, sha: string): string => storable(`${repository}@${sha}`);

const storable = (id: string): string => id.slice(0, 600).toWellFormed();

/** Pull requests that one event of checks is applied to. */
export const maxChecked = 20;

const checksWith = (check: Followed['check']): Followed => ({
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

const idOfIssue = ({ repository, issue: { number } }: IssuesEvent) =>
  numberedId({ repository: repository.full_name, number });

const ofIssue = (body: IssuesEvent, news: TaskNews): SourceHostNews => ({
  kind: 'issue',
  externalId: idOfIssue(body),
  news,
});

const issues: Followed = {
  actions: issueActions,
  check: (body) => checkShape(issuesEvent, body),
  idOf: idOfIssue,
  read: (body: IssuesEvent, receivedAt) => ofIssue(body, readIssueNews(body, receivedAt)),
};

const comments: Followed = {
  actions: commentActions,
  check: (body) => checkShape(issueCommentEvent, body),
  idOf: idOfIssue,
  read(body: IssueCommentEvent, receivedAt) {
    const comment = readIssueComment(body, receivedAt);
    const all = comment ? [comment] : [];
    if (!body.issue.pull_request) {
      // The event shows its issue as any other does; its action is that of the comment.
      const news = readIssueNews({ ...body, action: 'commented' }, receivedAt);
      return ofIssue(body, { ...news, changes: [...news.changes, ...all] });
    }
    const { repository, issue } = body;
    const numbers = [issue.number];
    const nothing = { shown: null, stage: null, named: namesNone, checks: null };
    return ofPullRequest({ repository: repository.full_name, numbers, ...nothing, comments: all });
  },
};

const followed: Readonly<Record<string, Followed>> = {
  pull_request: pullRequests,
  pull_request_review: reviews,
  check_suite: checksWith((body) => checkShape(checkSuiteEvent, body)),
  workflow_run: checksWith((body) => checkShape(workflowRunEvent, body)),
  issues,
  issue_comment: comments,
};

/**
 * The name under which an event is kept, and what it is about; undefined for one that is not followed. Throws
 * invalid_request naming the first field that does not fit.
 */
export function receivedEvent(name: string, body: JsonObject): { event: string; externalId: string } | undefined {
  const kind = Object.hasOwn(followed, name) ? followed[name] : undefined;
  const { action } = body;
  if (!kind || typeof action !== 'string' || !kind.actions.has(action)) return undefined;
  kind.check(body);
  return {
    event: `${name}.${action}`,
    externalId: storable(kind.idOf(body as never)),
  };
}

/** Reads the body of an event that was kept; undefined for one that is not followed any more. */
export function readSourceHostEvent(event: string, body: unknown, receivedAt: Date): SourceHostNews | undefined {
  const name = event.split('.')[0] ?? '';
  return Object.hasOwn(followed, name) ? followed[name]?.read(body as never, receivedAt) : undefined;
}
