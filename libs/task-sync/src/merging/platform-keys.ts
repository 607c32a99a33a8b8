import type { Read, ReadReceipt } from './read-receipt.ts';
import { digest } from '@eas/receiving';
import {
  type CheckedCommit,
  type Commit,
  commitId,
  maxChecked,
  numberedId,
  type PullRequestKey,
} from '@eas/source-host';
import type { ObjectKey, PlaceKind, TaskChange, TaskLink } from '@eas/task-platform';

export type TaskKey = Pick<TaskLink, 'integrationRef' | 'externalId'>;

export function taskKeyOf({ receipt: { integrationRef }, externalId }: Read<'task'>): TaskKey {
  return { integrationRef, externalId };
}

export function objectKeyOf({ receipt: { integrationRef }, object, externalId }: Read<'object'>): ObjectKey<PlaceKind> {
  return { integrationRef, kind: object, externalId };
}

/** Objects that a receipt is about, or names. */
export function objectKeysOf(read: ReadReceipt): ObjectKey[] {
  if (read.kind === 'object') return [objectKeyOf(read)];
  const { integrationRef } = read.receipt;
  if (read.kind !== 'task') return [];
  return read.reported.mentions.map(({ kind, id }) => ({ integrationRef, kind, externalId: id }));
}

export function commentKeyOf({ integrationRef, externalId }: TaskKey, commentId: string): ObjectKey<'comment'> {
  return { integrationRef, kind: 'comment', externalId: digest([externalId, commentId]) };
}

export function commentKeysOf(read: ReadReceipt): ObjectKey[] {
  if (read.kind === 'task') return read.reported.changes.flatMap((change) => keysOfComment(taskKeyOf(read), change));
  if (read.kind !== 'pull request') return [];
  const { integrationRef } = read.receipt;
  const { repository, numbers, comments } = read.reported;
  const keys = numbers.map((number) => numberedKey({ integrationRef, repository, number }));
  return keys.flatMap((key) => comments.flatMap((comment) => keysOfComment(key, comment)));
}

const keysOfComment = (key: TaskKey, change: TaskChange): ObjectKey[] =>
  change.field === 'comment' && change.id !== null ? [commentKeyOf(key, change.id)] : [];

/** When a task that we never knew was deleted. Kept with the copies of other things. */
export const tombstoneKey = ({ integrationRef, externalId }: TaskKey): ObjectKey<'task'> => ({
  integrationRef,
  kind: 'task',
  externalId,
});

/** Of a thing that is no task as long as it has no label that makes it one: its newest changes. */
export const unlabelledKey = (key: TaskKey): ObjectKey<'unlabelled'> => ({ ...tombstoneKey(key), kind: 'unlabelled' });

export const numberedKey = (key: PullRequestKey): TaskKey => ({
  integrationRef: key.integrationRef,
  externalId: numberedId(key),
});

/** Pull requests that a receipt is about. `found`: those of the commits whose checks receipts report. */
export function pullRequestKeysOf(
  found: readonly (Commit & { number: number })[],
  read: Read<'pull request'>,
): PullRequestKey[] {
  const { integrationRef } = read.receipt;
  const { repository, numbers } = read.reported;
  const byCommit = commitOf(read).flatMap(({ sha }) =>
    found.filter((one) => one.integrationRef === integrationRef && one.repository === repository && one.sha === sha),
  );
  const all = new Set([...numbers, ...byCommit.map(({ number }) => number)]);
  return [...all].slice(0, maxChecked).map((number) => ({ integrationRef, repository, number }));
}

/** The commit whose checks a receipt reports. */
export const commitOf = ({
  receipt: { integrationRef },
  reported: { repository, checks },
}: Read<'pull request'>): Commit[] => (checks ? [{ integrationRef, repository, sha: checks.result.sha }] : []);

/** What checks of the commits would be about that pull requests show now. */
export const shownCommits = (receipts: readonly ReadReceipt[]): CheckedCommit[] =>
  receipts.flatMap((read) => {
    if (read.kind !== 'pull request' || !read.reported.shown?.headSha) return [];
    const { integrationRef } = read.receipt;
    return [{ integrationRef, externalId: commitId(read.reported.repository, read.reported.shown.headSha) }];
  });

export const taskText = ({ integrationRef, externalId }: TaskKey): string => `${integrationRef} ${externalId}`;
export const objectText = ({ integrationRef, kind, externalId }: ObjectKey): string =>
  `${integrationRef} ${kind} ${externalId}`;
export const pullRequestText = (key: PullRequestKey): string => taskText(numberedKey(key));
