import {
  type ChecksEvent,
  checkSuiteEvent,
  type PullRequestEvent,
  pullRequestEvent,
  type PullRequestReviewEvent,
  pullRequestReviewEvent,
  workflowRunEvent,
} from '@eas/contracts';
import type { JsonObject } from '@eas/core';
import { checkShape } from '../platform/platform-event.ts';
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
  stage: Stage;
  named: NamedTasks;
  checks: CompletedChecks | null;
};

type Followed = {
  actions: ReadonlySet<string>;
  check(body: JsonObject): void;
  idOf(body: never): string;
  read(body: never, receivedAt: Date): PullRequestNews;
};

const onlyNames: NamedTasks = { ids: [], tickets: [] };

const pullRequests: Followed = {
  actions: pullRequestActions,
  check: (body) => checkShape(pullRequestEvent, body),
  idOf: ({ repository, number }: PullRequestEvent) => numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestEvent, receivedAt) {
    const shown = readShown(body, receivedAt);
    return { ...newsOf(body, body.number, shown), stage: stageOfPullRequest(body, shown) };
  },
};

const reviews: Followed = {
  actions: new Set(['submitted', 'dismissed']),
  check: (body) => checkShape(pullRequestReviewEvent, body),
  idOf: ({ repository, pull_request: { number } }: PullRequestReviewEvent) =>
    numberedId({ repository: repository.full_name, number }),
  read(body: PullRequestReviewEvent, receivedAt) {
    const shown = readShown(body as never, receivedAt);
    return { ...newsOf(body, body.pull_request.number, shown), stage: stageOfReview(body, shown) };
  },
};

function newsOf(
  { repository: { full_name: repository }, pull_request: { body } }: PullRequestEvent | PullRequestReviewEvent,
  number: number,
  shown: ShownPullRequest,
): Omit<PullRequestNews, 'stage'> {
  const named = readNamedTasks(repository, { branch: shown.branch, title: shown.title, description: body ?? '' });
  return { repository, numbers: [number], shown, named, checks: null };
}

/** Pull requests that one event of checks is applied to. */
export const maxChecked = 20;

const checksWith = (check: Followed['check']): Followed => ({
  actions: new Set(['completed']),
  check,
  idOf: (body: ChecksEvent) => `${body.repository.full_name}@${checkedBy(body).head_sha}`,
  read(body: ChecksEvent, receivedAt) {
    const listed = (checkedBy(body).pull_requests ?? []).flatMap(({ number }) => number ?? []);
    const checks = readChecks(body, receivedAt);
    return {
      repository: body.repository.full_name,
      numbers: [...new Set(listed)].slice(0, maxChecked),
      shown: null,
      stage: stageOfChecks(checks),
      named: onlyNames,
      checks,
    };
  },
});

function checkedBy(body: ChecksEvent): { head_sha: string; pull_requests?: { number?: number | null }[] | null } {
  return ('check_suite' in body ? body.check_suite : body.workflow_run) as ReturnType<typeof checkedBy>;
}

const followed: Readonly<Record<string, Followed>> = {
  pull_request: pullRequests,
  pull_request_review: reviews,
  check_suite: checksWith((body) => checkShape(checkSuiteEvent, body)),
  workflow_run: checksWith((body) => checkShape(workflowRunEvent, body)),
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
    externalId: kind
      .idOf(body as never)
      .slice(0, 600)
      .toWellFormed(),
  };
}

/** Reads the body of an event that was kept; undefined for one that is not followed any more. */
export function readSourceHostEvent(event: string, body: unknown, receivedAt: Date): PullRequestNews | undefined {
  const name = event.split('.')[0] ?? '';
  return Object.hasOwn(followed, name) ? followed[name]?.read(body as never, receivedAt) : undefined;
}
