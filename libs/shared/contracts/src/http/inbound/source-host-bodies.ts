import { z } from 'zod';

const text = z.string().max(1_000_000);
const number = z.int().min(1).max(2_147_483_647);
const idOrNumber = z.union([z.string().min(1).max(64), z.number()]);
const date = z.string().max(64).nullish();
const link = z.string().max(2_048);
const user = z.looseObject({ login: z.string().max(255) }).nullish();
const sha = z.string().min(1).max(128);

/** Common fields of the source host's bodies; the rest is stored unread. */
const common = {
  action: z.string().min(1).max(100),
  repository: z.looseObject({ full_name: z.string().min(1).max(512) }),
  sender: user,
};

const pullRequest = z.looseObject({
  title: text,
  html_url: link,
  body: text.nullish(),
  user,
  state: z.string().max(64).nullish(),
  merged: z.boolean().nullish(),
  merged_at: date,
  closed_at: date,
  updated_at: date,
  head: z.looseObject({
    ref: z.string().max(1_024),
    sha: sha.nullish(),
    repo: z.looseObject({ full_name: z.string().max(512) }).nullish(),
  }),
  base: z.looseObject({ ref: z.string().max(1_024).nullish() }).nullish(),
  /** Missing until the source host has tried to merge it. */
  mergeable: z.boolean().nullish(),
});

/** What the author is to the repository: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, NONE, … */
const association = z.string().max(64).nullish();

/** Body of `pull_request`. */
export const pullRequestEvent = z.looseObject({ ...common, number, pull_request: pullRequest });
export type PullRequestEvent = z.infer<typeof pullRequestEvent>;

/** Body of `pull_request_review`. */
export const pullRequestReviewEvent = z.looseObject({
  ...common,
  pull_request: pullRequest.extend({ number }),
  review: z.looseObject({
    id: idOrNumber,
    state: z.string().min(1).max(64),
    user,
    author_association: association,
    body: text.nullish(),
    html_url: link.nullish(),
    submitted_at: date,
  }),
});
export type PullRequestReviewEvent = z.infer<typeof pullRequestReviewEvent>;

/** Body of `pull_request_review_comment`. */
export const pullRequestReviewCommentEvent = z.looseObject({
  ...common,
  pull_request: pullRequest.extend({ number }),
  comment: z.looseObject({
    id: idOrNumber,
    body: text.nullish(),
    user,
    author_association: association,
    updated_at: date,
    path: z.string().max(4_096),
    /** null: the line is not there any more. */
    line: z.int().nullish(),
    original_line: z.int().nullish(),
    diff_hunk: text.nullish(),
  }),
});
export type PullRequestReviewCommentEvent = z.infer<typeof pullRequestReviewCommentEvent>;

const issue = z.looseObject({
  number,
  title: text,
  html_url: link,
  body: text.nullish(),
  state: z.string().max(64).nullish(),
  state_reason: z.string().max(64).nullish(),
  updated_at: date,
  labels: z
    .array(z.union([z.string().max(255), z.looseObject({ name: z.string().max(255).nullish() })]))
    .max(1_000)
    .nullish(),
  /** Set where the issue is a pull request. */
  pull_request: z.unknown().optional(),
});

/** Body of `issues`. */
export const issuesEvent = z.looseObject({ ...common, issue });
export type IssuesEvent = z.infer<typeof issuesEvent>;

/** Body of `issue_comment`. */
export const issueCommentEvent = z.looseObject({
  ...common,
  issue,
  comment: z.looseObject({ id: idOrNumber, body: text.nullish(), user, updated_at: date }),
});
export type IssueCommentEvent = z.infer<typeof issueCommentEvent>;

const checked = {
  id: idOrNumber,
  head_sha: sha,
  conclusion: z.string().max(64).nullish(),
  updated_at: date,
  pull_requests: z.array(z.looseObject({ number: number.nullish() })).nullish(),
};

/** Body of `check_suite`. */
export const checkSuiteEvent = z.looseObject({
  ...common,
  check_suite: z.looseObject({ ...checked, app: z.looseObject({ name: z.string().max(255).nullish() }).nullish() }),
});

/** Body of `workflow_run`. */
export const workflowRunEvent = z.looseObject({
  ...common,
  workflow_run: z.looseObject({
    ...checked,
    name: z.string().max(1_000).nullish(),
    html_url: link.nullish(),
    check_suite_id: idOrNumber.nullish(),
    run_attempt: z.int().nullish(),
  }),
});
export type ChecksEvent = z.infer<typeof checkSuiteEvent> | z.infer<typeof workflowRunEvent>;
