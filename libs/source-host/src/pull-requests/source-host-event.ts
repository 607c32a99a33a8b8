import {
  checkSuiteEvent,
  type IssueCommentEvent,
  issueCommentEvent,
  type IssuesEvent,
  issuesEvent,
  workflowRunEvent,
} from '@eas/contracts';
import type { JsonObject } from '@eas/core';
import { checkShape, type ReportedTask } from '@eas/task-platform';
import { type Followed, namesNone, ofPullRequest, type ReportedEvent, storable } from './followed.ts';
import { commentActions, issueActions, readIssueComment, readReportedIssue } from './reported-issue.ts';
import { numberedId } from './pull-request.ts';
import { checksWith, pullRequests, reviewComments, reviews } from './pull-request-event.ts';

const idOfIssue = ({ repository, issue: { number } }: IssuesEvent) =>
  numberedId({ repository: repository.full_name, number });

const ofIssue = (body: IssuesEvent, reported: ReportedTask): ReportedEvent => ({
  kind: 'issue',
  externalId: idOfIssue(body),
  reported,
});

const issues: Followed = {
  actions: issueActions,
  check: (body) => checkShape(issuesEvent, body),
  idOf: idOfIssue,
  read: (body: IssuesEvent, receivedAt) => ofIssue(body, readReportedIssue(body, receivedAt)),
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
      const reported = readReportedIssue({ ...body, action: 'commented' }, receivedAt);
      return ofIssue(body, { ...reported, changes: [...reported.changes, ...all] });
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
  pull_request_review_comment: reviewComments,
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
export function readSourceHostEvent(event: string, body: unknown, receivedAt: Date): ReportedEvent | undefined {
  const name = event.split('.')[0] ?? '';
  return Object.hasOwn(followed, name) ? followed[name]?.read(body as never, receivedAt) : undefined;
}
