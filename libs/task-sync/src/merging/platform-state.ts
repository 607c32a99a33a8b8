import type { findNamedTasks } from '@eas/tasks';
import {
  objectText,
  pullRequestKeysOf,
  pullRequestText,
  type TaskKey,
  taskKeyOf,
  taskText,
  tombstoneKey,
} from './platform-keys.ts';
import type { Read, ReadReceipt } from './read-receipt.ts';
import type { OwnComment } from '@eas/platform-calls';
import { type InboundRules, noRules } from '@eas/integrations';
import {
  type ObjectKey,
  type ObjectKind,
  type ObjectOf,
  type PlatformObject,
  type PlatformRules,
  statusMeaning,
  targetOf,
  type TaskLink,
} from '@eas/task-platform';
import { type Commit, issueStatusMap, type PullRequest, type PullRequestKey } from '@eas/source-host';

/** What is stored of all that some receipts are about. Links, objects and pull requests are locked. */
export type PlatformState = {
  rules: ReadonlyMap<string, InboundRules>;
  links: ReadonlyMap<string, TaskLink>;
  /** Copies of lists, folders and the like, of comments, and of tasks that are not linked. */
  objects: ReadonlyMap<string, PlatformObject>;
  /** Comments that this service posted to the platform's tasks; read only when receipts report comments. */
  ownComments: ReadonlyMap<string, readonly OwnComment[]>;
  pullRequests: ReadonlyMap<string, PullRequest>;
  /** Texts of the stages that are new with receipts which are still to be merged. */
  newStages: ReadonlySet<string>;
  /** Texts of the stages that merged receipts publish; they are stored as published at the end. */
  published: ReadonlySet<string>;
  /** Pull requests of the commits whose checks receipts report. */
  byCommit: readonly (Commit & { number: number })[];
  /** The tasks that pull requests name. */
  named: Awaited<ReturnType<typeof findNamedTasks>>;
};

export const linkOf = ({ links }: PlatformState, key: TaskKey): TaskLink | undefined => links.get(taskText(key));

export const objectOf = <K extends ObjectKind>(
  { objects }: PlatformState,
  key: ObjectKey<K>,
): ObjectOf<K> | undefined => objects.get(objectText(key)) as ObjectOf<K> | undefined;

/** When a task that we never knew was deleted, in Unix milliseconds. */
export const deletionOf = (state: PlatformState, key: TaskKey): number | undefined =>
  objectOf(state, tombstoneKey(key))?.deletedAt.getTime();

export const ownCommentsOf = ({ ownComments }: PlatformState, key: TaskKey): readonly OwnComment[] =>
  ownComments.get(taskText(key)) ?? [];

export const pullRequestOf = ({ pullRequests }: PlatformState, key: PullRequestKey): PullRequest =>
  pullRequests.get(pullRequestText(key)) ?? { ...key, shown: null, checks: {}, taskId: null };

/** The tasks that a pull request names, as far as they exist, in the order in which they count. */
export function namedTasksOf(state: PlatformState, read: Read<'pull request'>): string[] {
  const { integrationRef } = read.receipt;
  const { tickets } = read.reported.named;
  // A task that an earlier receipt of the batch has created was not found by its ticket.
  const linked = tickets.flatMap((externalId) => linkOf(state, { integrationRef, externalId })?.taskId ?? []);
  return [...foundTasksOf(state, read), ...linked];
}

function foundTasksOf({ named }: PlatformState, { reported: { named: names } }: Read<'pull request'>): string[] {
  const ofTickets = names.tickets.flatMap((ticket) => named.byTicket.get(ticket) ?? []);
  return [...names.ids.filter((id) => named.ids.has(id)), ...ofTickets];
}

/** Tasks that a receipt may change, as far as they are known before it is merged. */
export function taskIdsOf(state: PlatformState, read: ReadReceipt): string[] {
  if (read.kind === 'task') {
    const link = linkOf(state, taskKeyOf(read));
    return link ? [link.taskId] : [];
  }
  if (read.kind !== 'pull request') return [];
  const linked = pullRequestKeysOf(state.byCommit, read).flatMap((key) => pullRequestOf(state, key).taskId ?? []);
  return [...linked, ...foundTasksOf(state, read).slice(0, 1)];
}

export const settingsOf = ({ rules }: Pick<PlatformState, 'rules'>, integrationRef: string): InboundRules =>
  rules.get(integrationRef) ?? noRules;

/** Whether the task can be read and written by the API of its platform. */
export function isCallable(state: Pick<PlatformState, 'rules'>, { integrationRef }: TaskKey): boolean {
  const settings = settingsOf(state, integrationRef);
  return settings.type === 'taskplatform' && settings.isCallable;
}

export function rulesOf(state: PlatformState, integrationRef: string): PlatformRules {
  const { type, statusMap, assigneeMap, labels, projectMap } = settingsOf(state, integrationRef);
  const words = type === 'github' ? issueStatusMap : statusMap;
  return {
    meaningOf: (word, ofType) => statusMeaning(words, word, ofType),
    targetOf: (user) => targetOf(assigneeMap, user),
    targetOfLabel: (label) => targetOf(labels, { key: label, id: null, email: null, name: label }),
    projectOfPlace: (id) => (Object.hasOwn(projectMap, id) ? projectMap[id] : undefined),
  };
}
