import type { IssueCommentEvent, IssuesEvent, PlatformStatusMeaning } from '@eas/contracts';
import {
  type CommentChange,
  type CommentRank,
  readMillis,
  readTags,
  readText,
  type ReportedTask,
  type TaskChange,
} from '@eas/task-platform';
import { loginOf } from './pull-request.ts';

/** What the states of issues mean, by their reason. */
export const issueStatusMap: Record<string, PlatformStatusMeaning> = {
  open: 'open',
  completed: 'completed',
  not_planned: 'cancelled',
  duplicate: 'cancelled',
};

/** Dates are whole seconds: of one second the action tells which is newer. In milliseconds. */
const actionRanks: Record<string, number> = {
  opened: 0,
  edited: 1,
  labeled: 2,
  unlabeled: 2,
  closed: 4,
  reopened: 5,
  deleted: 9,
  transferred: 9,
};
const otherRank = 3;

const ends: ReadonlySet<string> = new Set(['deleted', 'transferred']);

/** Actions of `issues` that are followed. */
export const issueActions: ReadonlySet<string> = new Set(Object.keys(actionRanks));

/** What an event shows of its issue, as changes of a task that is one only by its labels. */
export function readReportedIssue(body: IssuesEvent, receivedAt: Date): ReportedTask {
  const { action, issue, repository } = body;
  const at = (readMillis(issue.updated_at) ?? receivedAt.getTime()) + (actionRanks[action] ?? otherRank);
  const metadata = { repository: repository.full_name, url: issue.html_url };
  const nothing = { unknown: [], mentions: [], datedAt: at, metadata };
  if (ends.has(action)) return { ...nothing, changes: [], deletedAt: at };
  const labels = readTags(issue.labels ?? []);
  return {
    ...nothing,
    deletedAt: undefined,
    labels,
    changes: changesOf(issue, labels, at),
  };
}

function changesOf(issue: IssuesEvent['issue'], labels: string[], at: number): TaskChange[] {
  const title = readText(issue.title).trim().slice(0, 500).toWellFormed();
  const closedAs = issue.state_reason?.toLowerCase() ?? 'completed';
  const status = issue.state !== 'closed' ? 'open' : Object.hasOwn(issueStatusMap, closedAs) ? closedAs : 'completed';
  return [
    ...(title === '' ? [] : [{ field: 'title' as const, value: title, at }]),
    { field: 'description', value: readText(issue.body), at },
    { field: 'tags', value: labels, at },
    { field: 'labels', value: labels, at },
    { field: 'status', value: status, type: null, at },
  ];
}

/** Actions of `issue_comment` that are followed, and which of equal dates is the newer one. */
const commentRanks: Record<string, CommentRank> = { created: 0, edited: 2, deleted: 3 };
export const commentActions: ReadonlySet<string> = new Set(Object.keys(commentRanks));

/** The comment of an event; undefined for one that says nothing. */
export function readIssueComment(
  { action, comment }: Pick<IssueCommentEvent, 'action' | 'comment'>,
  receivedAt: Date,
): CommentChange | undefined {
  const content = action === 'deleted' ? null : readText(comment.body).trim();
  if (content === '') return undefined;
  return {
    field: 'comment',
    id: String(comment.id),
    content,
    author: loginOf(comment.user),
    rank: commentRanks[action] ?? 0,
    at: readMillis(comment.updated_at) ?? receivedAt.getTime(),
  };
}
