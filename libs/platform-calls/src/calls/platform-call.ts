import { ranks } from './call-pace.ts';

/**
 * task: read a task; status: set it when an agent has completed ours; comment: say what came of it; question: post what an
 * agent asks; page: read a page of a reconciliation; pull_request: open one for the branch of a task, or change it;
 * review: say there what an agent found; checks: read what failed ones say.
 */
export type CallKind = 'task' | 'status' | 'comment' | 'question' | 'page' | 'pull_request' | 'review' | 'checks';

export type CallKey = { integrationId: string; kind: CallKind; externalId: string; key: string };

/** What a call needs beyond its key. */
export type CallPayload = {
  /** The text to post; it ends with the mark of the call. */
  text?: string;
  /** Our task. */
  taskId?: string;
  /** Status word to set; without it, it is found out first. */
  status?: string;
  /** The comments were read since a post whose outcome is not known: it is not there. */
  isLookedUp?: boolean;
  pullRequest?: WantedPullRequest;
  review?: WantedReview;
  checks?: WantedChecks;
  /** What the look-up found that was made just before this attempt. */
  step?: PullRequestStep;
};

/** What a pull request is to say. */
export type WantedPullRequest = {
  /** The event that wants it: a later one replaces it. */
  eventId: string;
  /** `owner/name` */
  repository: string;
  branch: string;
  baseBranch: string;
  /** The commit that was pushed. */
  sha: string | null;
  title: string;
  text: string;
};

/** What a review of a pull request is to say. */
export type WantedReview = {
  /** `owner/name` */
  repository: string;
  number: number;
  /** The commit that the comments are about; null: the newest. */
  sha: string | null;
  /** With the mark of the review. */
  text: string;
  comments: { path: string; line: number; body: string }[];
  /** What it says where the source host takes no comments on these lines. */
  plainText: string;
};

/** A suite of checks that failed for a commit. `left`: those of them that are to be read; `said`: what the others say. */
export type WantedChecks = {
  /** `owner/name` */
  repository: string;
  number: number;
  sha: string;
  suite: string;
  left?: FailedCheck[];
  said?: string[];
};

export type FailedCheck = {
  id: number;
  name: string;
  conclusion: string;
  said: string;
  hasAnnotations: boolean;
  hasLog: boolean;
};

/**
 * `attempt`: the one that may rely on it. `number`: of the pull request that is changed; null: there is none. `looks`: how
 * often it was asked whether it can be merged, in place of a change.
 */
export type PullRequestStep = { attempt: number; number: number | null; title?: string; body?: string; looks?: number };

export type NewCall = CallKey & { payload: CallPayload };

/** What the platform gave for a comment; of a pull request the number. `date` is in Unix milliseconds. */
export type CallResult = { id: string; date: number | null };

const rankByKind: Record<CallKind, number> = {
  task: ranks.read,
  page: ranks.page,
  status: ranks.write,
  comment: ranks.write,
  question: ranks.write,
  pull_request: ranks.write,
  review: ranks.write,
  checks: ranks.read,
};
export const rankOf = (kind: CallKind): number => rankByKind[kind];

/** A call that one process makes now. `attempts`: this one included. */
export type TakenCall = NewCall & { attempts: number };

const markPattern = /\(ref ((?:evt|inp)_[0-9a-z]{26})\)$/;

/** A comment of ours ends with this: the webhook that reports it may arrive before the response to our call. */
export const withMark = (text: string, key: string): string => `${text}\n\n(ref ${key})`;

/** Key of the call that a comment says it is of. */
export const markIn = (text: string): string | undefined => markPattern.exec(text.trimEnd())?.[1];
