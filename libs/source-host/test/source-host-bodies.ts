import { octokitExamples } from './octokit-examples.ts';

type Body = Record<string, unknown>;

const example = (event: string, action: string): Body => {
  const found = octokitExamples(event).find((one) => one.action === action);
  if (!found) throw new Error(`there is no example of ${event}.${action}`);
  return structuredClone(found);
};

/** Second `n` of the streams. */
const second = (n: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, n)).toISOString().replace('.000', '');

export type PullRequestOver = {
  number?: number;
  title?: string;
  body?: string;
  ref?: string;
  sha?: string;
  merged?: boolean;
  state?: string;
  mergeable?: boolean | null;
  /** The repository that its branch is in. */
  from?: string;
};

const bases: Record<string, string> = { closed: 'closed', reopened: 'reopened', ready_for_review: 'ready_for_review' };

/** A body that GitHub sends for `pull_request`, about one pull request as it is in second `at`. */
export function pullRequestBody(action: string, at: number, over: PullRequestOver = {}): Body {
  const body = example('pull_request', bases[action] ?? 'opened');
  const { number = 2, title = 'Update', body: text = '', ref = 'changes', sha = 'sha-1', merged = false } = over;
  const { mergeable = null, from = 'Codertocat/Hello-World' } = over;
  const state = over.state ?? (action === 'closed' ? 'closed' : 'open');
  const ended = state === 'closed' ? second(at) : null;
  const shown = body['pull_request'] as { head: Body };
  const pullRequest = {
    ...shown,
    number,
    title,
    body: text,
    state,
    merged,
    merged_at: merged ? ended : null,
    closed_at: ended,
    updated_at: second(at),
    html_url: `https://github.com/Codertocat/Hello-World/pull/${number}`,
    mergeable,
    head: { ...shown.head, ref, sha, repo: { full_name: from } },
  };
  return { ...body, action, number, pull_request: pullRequest };
}

export function reviewBody(action: string, at: number, review: Body, over: PullRequestOver = {}): Body {
  const body = example('pull_request_review', action);
  const { pull_request: pullRequest } = pullRequestBody('synchronize', at, over);
  const known = body['review'] as Body;
  return {
    ...body,
    pull_request: pullRequest,
    review: { ...known, state: 'approved', submitted_at: second(at), ...review },
  };
}

export function reviewCommentBody(action: string, at: number, comment: Body, over: PullRequestOver = {}): Body {
  const body = example('pull_request_review_comment', action);
  const { pull_request: pullRequest } = pullRequestBody('synchronize', at, over);
  const known = { ...(body['comment'] as Body), author_association: 'MEMBER', updated_at: second(at) };
  return { ...body, pull_request: pullRequest, comment: { ...known, ...comment } };
}

export function checkSuiteBody(at: number, suite: Body, numbers: number[] = [2]): Body {
  const body = example('check_suite', 'completed');
  const known = body['check_suite'] as { pull_requests: Body[] };
  const pullRequests = numbers.map((number) => ({ ...known.pull_requests[0], number }));
  const over = { head_sha: 'sha-1', updated_at: second(at), conclusion: 'success', pull_requests: pullRequests };
  return { ...body, check_suite: { ...known, ...over, ...suite } };
}

export function workflowRunBody(at: number, run: Body): Body {
  const body = example('workflow_run', 'completed');
  const { repository, organization } = pullRequestBody('opened', at);
  const known = body['workflow_run'] as Body;
  const over = { head_sha: 'sha-1', updated_at: second(at), conclusion: 'success', pull_requests: [{ number: 2 }] };
  return { ...body, repository, organization, workflow_run: { ...known, ...over, ...run } };
}

export type IssueOver = {
  number?: number;
  title?: string;
  body?: string;
  labels?: string[];
  state?: string;
  state_reason?: string | null;
  pull_request?: object;
};

/** A body of `issues` about an issue as it is in second `at`. */
export function issueBody(action: string, at: number, over: IssueOver = {}): Body {
  const body = example('issues', 'opened');
  const { number = 12, title = 'Broken', body: text = 'It is.', labels = [], state = 'open', ...rest } = over;
  const known = body['issue'] as Body;
  const named = labels.map((name) => ({ id: 1, name, color: 'ff0000' }));
  const html_url = `https://github.com/Codertocat/Hello-World/issues/${number}`;
  const issue = {
    ...known,
    number,
    title,
    body: text,
    labels: named,
    state,
    html_url,
    updated_at: second(at),
    ...rest,
  };
  return { ...body, action, issue };
}

export function issueCommentBody(action: string, at: number, comment: Body, over: IssueOver = {}): Body {
  const body = example('issue_comment', action);
  const { issue } = issueBody('edited', at, over);
  const known = body['comment'] as Body;
  return { ...body, issue, comment: { ...known, id: 1, body: 'Yes.', updated_at: second(at), ...comment } };
}
