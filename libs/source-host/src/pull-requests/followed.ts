import type { JsonObject } from '@eas/core';
import type { Finding } from '@eas/tasks';
import type { CommentChange, ReportedTask } from '@eas/task-platform';
import type { NamedTasks } from './named-tasks.ts';
import type { ShownPullRequest } from './pull-request.ts';
import type { CompletedChecks, Stage } from './pull-request-stage.ts';

/** What an event says of pull requests of a repository. */
export type ReportedPullRequest = {
  repository: string;
  /** Those that it names. Checks are also of those whose newest commit is theirs. */
  numbers: number[];
  shown: ShownPullRequest | null;
  /** Null: a comment. */
  stage: Stage | null;
  named: NamedTasks;
  checks: CompletedChecks | null;
  comments: PullRequestComment[];
};

/** A comment, with what it finds wrong with the work. */
type PullRequestComment = CommentChange & { finding?: Finding };

/** What an event says of a pull request, or of an issue. */
export type ReportedEvent =
  | { kind: 'pull request'; reported: ReportedPullRequest }
  | { kind: 'issue'; externalId: string; reported: ReportedTask };

/** How the events of one name are read. */
export type Followed = {
  actions: ReadonlySet<string>;
  check(body: JsonObject): void;
  idOf(body: never): string;
  read(body: never, receivedAt: Date): ReportedEvent;
};

export const namesNone: NamedTasks = { ids: [], tickets: [] };

export const ofPullRequest = (reported: ReportedPullRequest): ReportedEvent => ({ kind: 'pull request', reported });

/** What can be kept as what an event is about. */
export const storable = (id: string): string => id.slice(0, 600).toWellFormed();
