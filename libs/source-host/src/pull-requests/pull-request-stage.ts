import type { ChecksEvent, EventData, PublicEventType, PullRequestEvent, PullRequestReviewEvent } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { Finding } from '@eas/tasks';
import { digest } from '@eas/receiving';
import { readMillis } from '@eas/task-platform';
import { findingOfReview } from './finding.ts';
import { loginOf, type PullRequest, type ShownPullRequest, type SuiteResult } from './pull-request.ts';

export type PullRequestEventType = Extract<PublicEventType, `pr.${string}`>;

/** Something that happened to a pull request. */
export type Stage = {
  /** The same for the same thing alone, whatever reports it. */
  key: string;
  at: Date;
  event: PullRequestEventType;
  /** What its event has beyond what each event of a pull request has. */
  own: Record<string, unknown>;
  entry: { action: string; url?: string; author?: string; sha?: string; check?: string; conclusion?: string };
  /** The pull request at that time; null: as it is known when it is published. */
  shown: Pick<ShownPullRequest, 'title' | 'url' | 'author' | 'branch'> | null;
  /** What it finds wrong with the work. */
  finding?: Finding;
};

const updates: ReadonlySet<string> = new Set(['synchronize', 'edited', 'ready_for_review', 'reopened']);

/** Actions of `pull_request` that are followed. */
export const pullRequestActions: ReadonlySet<string> = new Set(['opened', 'closed', 'merged', ...updates]);

export function stageOfPullRequest(body: PullRequestEvent, shown: ShownPullRequest): Stage {
  const { action, sender, pull_request: pullRequest } = body;
  const at = new Date(shown.at);
  const common = { at, shown, own: {} };
  const entry = { action, ...authorOf(sender), ...shaOf(shown) };
  if (action === 'opened') return { ...common, key: 'opened', event: 'pr.opened', entry };
  if (!updates.has(action)) {
    if (shown.state === 'merged')
      return { ...common, key: 'merged', event: 'pr.merged', entry: { ...entry, action: 'merged' } };
    const closedAt = readMillis(pullRequest.closed_at) ?? shown.at;
    return { ...common, key: `closed ${closedAt}`, event: 'pr.closed', entry: { ...entry, action: 'closed' } };
  }
  const mark = digest([shown.title, pullRequest.body ?? '', shown.headSha ?? '']);
  const own = { action, head_sha: shown.headSha };
  return { ...common, key: `${action} ${shown.at} ${mark}`, event: 'pr.updated', own, entry };
}

export function stageOfReview({ action, review, sender }: PullRequestReviewEvent, shown: ShownPullRequest): Stage {
  const conclusion = (action === 'dismissed' ? 'dismissed' : review.state).toLowerCase();
  const url = review.html_url ?? null;
  const submittedAt = action === 'dismissed' ? undefined : readMillis(review.submitted_at);
  const finding = findingOfReview(review, conclusion);
  return {
    key: `reviewed ${review.id} ${conclusion}`,
    at: new Date(submittedAt ?? shown.at),
    event: 'pr.reviewed',
    own: { review: conclusion, reviewer: loginOf(review.user), review_url: url },
    entry: {
      action: 'reviewed',
      author: action === 'dismissed' ? loginOf(sender ?? review.user) : loginOf(review.user),
      conclusion,
      ...(url === null ? {} : { url }),
    },
    shown,
    ...(finding ? { finding } : {}),
  };
}

/** Whether the other one is a later decision of the same reviewer. */
export const isReplacedReview = ({ at, own }: Stage, other: Stage): boolean =>
  other.at > at && other.own['reviewer'] === own['reviewer'] && other.own['review'] !== 'commented';

/** Completed checks: the suite that they belong to, and what came of it. */
export type CompletedChecks = { suite: string; result: SuiteResult };

export function readChecks(body: ChecksEvent, receivedAt: Date): CompletedChecks {
  const isSuite = 'check_suite' in body;
  const checked = (isSuite ? body.check_suite : body.workflow_run) as ChecksFields;
  const name = isSuite ? checked.app?.name : checked.name;
  // A workflow reports its suite by itself as well.
  const suite = isSuite ? checked.id : (checked.check_suite_id ?? checked.id);
  return {
    suite: String(suite),
    result: {
      at: readMillis(checked.updated_at) ?? receivedAt.getTime(),
      sha: checked.head_sha,
      check: (name ?? 'checks').slice(0, 1_000),
      conclusion: checked.conclusion ?? 'neutral',
      ...(checked.html_url ? { url: checked.html_url } : {}),
      ...((checked.run_attempt ?? 1) > 1 ? { attempt: checked.run_attempt as number } : {}),
    },
  };
}

type ChecksFields = {
  id: string | number;
  head_sha: string;
  conclusion?: string | null;
  updated_at?: unknown;
  app?: { name?: string | null } | null;
  name?: string | null;
  html_url?: string | null;
  check_suite_id?: string | number | null;
  run_attempt?: number | null;
};

export function stageOfChecks({ suite, result }: CompletedChecks): Stage {
  const { sha, check, conclusion, at, url = null } = result;
  const completed = new Date(at);
  return {
    key: `checks ${sha} ${suite} ${conclusion} ${at}`,
    at: completed,
    event: 'pr.checks',
    own: { head_sha: sha, suite, check, conclusion, check_url: url, completed_at: formatTimestamp(completed) },
    entry: { action: 'checks', sha, check, conclusion, ...(url === null ? {} : { url }) },
    shown: null,
  };
}

const authorOf = (sender: { login: string } | null | undefined) => (sender ? { author: sender.login } : {});
const shaOf = ({ headSha }: ShownPullRequest) => (headSha === null ? {} : { sha: headSha });

/** Checks are published of pull requests that are linked to a task; everything else of each that is known. */
export const canPublish = ({ event }: Stage, { shown, taskId }: PullRequest): boolean =>
  shown !== null && (event !== 'pr.checks' || taskId !== null);

/** The data of a stage's event. The pull request is known. */
export function stageData(stage: Stage, pullRequest: PullRequest): EventData<PullRequestEventType> {
  const { repository, number, taskId } = pullRequest;
  const { title, url, author, branch } = shownIn(stage, pullRequest);
  return {
    repository,
    number,
    title,
    url,
    author,
    branch,
    task_id: taskId,
    ...stage.own,
  } as EventData<PullRequestEventType>;
}

/** The entry of a stage in the timeline of a task. The pull request is known. */
export function stageEntry(stage: Stage, pullRequest: PullRequest) {
  const { repository, number } = pullRequest;
  const { title, url } = shownIn(stage, pullRequest);
  return { repository, number, title, url, artifactUrl: pullRequest.shown?.url ?? url, ...stage.entry };
}

function shownIn(stage: Stage, { shown }: PullRequest) {
  const known = stage.shown ?? shown;
  if (known === null) throw new Error('a stage was published of a pull request that is not known');
  return known;
}
