import type { Tx } from '@eas/db';
import { platformChanges, type PlatformChanges } from '@eas/tasks';
import { findPullRequestKeys, openPullRequests, type PullRequestBatch } from './pull-request-batch.ts';
import type { Read, ReadReceipt } from './read-receipt.ts';
import { digest } from '../inbound/dedupe-key.ts';
import { readPlatformMaps } from '../integrations/integration.read-model.ts';
import type { ObjectCopy } from '../platform/platform-object.ts';
import {
  type ObjectKey,
  type PlatformObject,
  readPlatformObjects,
  savePlatformObjects,
} from '../platform/platform-object.store.ts';
import { targetOf } from '../platform/platform-user.ts';
import { statusMeaning } from '../platform/status-meaning.ts';
import type { PlatformRules, TaskLink } from '../platform/task-link.ts';
import { lockPlatformThings, readTaskLinks, saveTaskLinks } from '../platform/task-link.store.ts';
import { numberedId, type PullRequestKey } from '../source-host/pull-request.ts';

type TaskKey = Pick<TaskLink, 'integrationRef' | 'externalId'>;

/** What is known of the platform's things that some receipts are about: locked, and changed in memory until it is saved. */
export type PlatformBatch = {
  linkOf(key: TaskKey): TaskLink | undefined;
  setLink(link: TaskLink): void;
  /** When a task that we never knew was deleted, in Unix milliseconds. */
  tombstoneOf(key: TaskKey): number | undefined;
  setTombstone(key: TaskKey, deletedAt: number): void;
  objectOf(key: ObjectKey): ObjectCopy | undefined;
  setObject(key: ObjectKey, copy: ObjectCopy): void;
  rulesOf(integrationRef: string): PlatformRules;
  pullRequests: PullRequestBatch;
  /** The task that a pull request names. */
  namedTask(read: Read<'pull request'>): string | undefined;
  /** Our tasks that are linked, locked like the rest. */
  tasks: Omit<PlatformChanges, 'save'>;
  save(): Promise<void>;
};

export async function openPlatformBatch(tx: Tx, receipts: readonly ReadReceipt[]): Promise<PlatformBatch> {
  const tasks = receipts.flatMap((read) => (read.kind === 'task' ? [taskKeyOf(read)] : []));
  const objects = receipts.flatMap(objectKeysOf);
  const locked = objects.map(({ integrationRef, kind, externalId }) => ({
    integrationRef,
    externalId: `${kind} ${externalId}`,
  }));
  const pullRequestsOf = await findPullRequestKeys(tx, receipts);
  const numbered = receipts.flatMap((read) => (read.kind === 'pull request' ? pullRequestsOf(read) : []));
  await lockPlatformThings(tx, [...tasks, ...locked, ...numbered.map(numberedKey)]);
  const maps = await readPlatformMaps(tx, [...new Set(tasks.map((key) => key.integrationRef))]);
  const links = changes((await readTaskLinks(tx, tasks)).map((link) => [textOf(link), link]));
  // Tombstones and comments are locked with their task.
  const comments = receipts.flatMap((read) => (read.kind === 'task' ? commentKeysOf(read) : []));
  const unknown = tasks.filter((key) => !links.get(textOf(key)));
  const kept = await readPlatformObjects(tx, [...objects, ...comments, ...unknown.map(tombstoneKey)]);
  const copies = changes<PlatformObject>(kept.map((object) => [objectText(object), object]));
  const changed = platformChanges(tx);
  const pullRequests = await openPullRequests(tx, receipts, pullRequestsOf);
  await lockLinked(changed, receipts, (read) => {
    if (read.kind === 'pull request') return pullRequests.taskIds(read);
    return read.kind === 'task' ? (links.get(textOf(taskKeyOf(read)))?.taskId ?? []) : [];
  });
  const setObject = (key: ObjectKey, copy: ObjectCopy) => copies.set(objectText(key), { ...copy, ...key });
  return {
    linkOf: (key) => links.get(textOf(key)),
    setLink: (link) => links.set(textOf(link), link),
    tombstoneOf: (key) => copies.get(objectText(tombstoneKey(key)))?.updatedAt.getTime(),
    setTombstone: (key, deletedAt) =>
      setObject(tombstoneKey(key), { data: { is_deleted: true }, fieldDates: {}, updatedAt: new Date(deletedAt) }),
    objectOf: (key) => copies.get(objectText(key)),
    setObject,
    rulesOf(integrationRef) {
      const { statusMap = {}, assigneeMap = {} } = maps.get(integrationRef) ?? {};
      return {
        meaningOf: (word, type) => statusMeaning(statusMap, word, type),
        targetOf: (user) => targetOf(assigneeMap, user),
      };
    },
    pullRequests,
    namedTask({ receipt: { integrationRef }, news: { named } }) {
      // A task that this very batch has made is not found by what it is called.
      const made = () => named.tickets.map((externalId) => links.get(textOf({ integrationRef, externalId })));
      return pullRequests.taskOf(named) ?? made().find((link) => link !== undefined)?.taskId;
    },
    tasks: changed,
    async save() {
      changed.save();
      await pullRequests.save();
      await saveTaskLinks(tx, links.changed());
      await savePlatformObjects(tx, copies.changed());
    },
  };
}

/** Locks the tasks that are known already: together, and their leases where the platform may end them. */
async function lockLinked(
  changed: PlatformChanges,
  receipts: readonly ReadReceipt[],
  taskIdsOf: (read: ReadReceipt) => string | readonly string[],
): Promise<void> {
  const ending = receipts.filter((read) => read.kind === 'task' && mayEnd(read));
  await changed.lock(receipts.flatMap(taskIdsOf), ending.flatMap(taskIdsOf));
}

const mayEnd = ({ news: { changes, deletedAt } }: Read<'task'>) =>
  deletedAt !== undefined || changes.some(({ field }) => field === 'status');

/** A map that knows which of its entries were set since it was made. */
function changes<V>(entries: [string, V][]) {
  const all = new Map(entries);
  const changed = new Map<string, V>();
  return {
    get: (key: string) => all.get(key),
    set(key: string, value: V) {
      all.set(key, value);
      changed.set(key, value);
    },
    changed: () => [...changed.values()],
  };
}

export function taskKeyOf({ receipt: { integrationRef }, externalId }: Read<'task'>): TaskKey {
  return { integrationRef, externalId };
}

export function objectKeyOf({ receipt: { integrationRef }, object, externalId }: Read<'object'>): ObjectKey {
  return { integrationRef, kind: object, externalId };
}

/** Objects that a receipt is about, or names. */
function objectKeysOf(read: ReadReceipt): ObjectKey[] {
  if (read.kind === 'object') return [objectKeyOf(read)];
  const { integrationRef } = read.receipt;
  if (read.kind !== 'task') return [];
  return read.news.mentions.map(({ kind, id }) => ({ integrationRef, kind, externalId: id }));
}

export function commentKeyOf({ receipt: { integrationRef }, externalId }: Read<'task'>, commentId: string): ObjectKey {
  return { integrationRef, kind: 'comment', externalId: digest([externalId, commentId]) };
}

function commentKeysOf(read: Read<'task'>): ObjectKey[] {
  return read.news.changes.flatMap((change) =>
    change.field === 'comment' && change.id !== null ? [commentKeyOf(read, change.id)] : [],
  );
}

const numberedKey = (key: PullRequestKey): TaskKey => ({
  integrationRef: key.integrationRef,
  externalId: numberedId(key),
});

/** Kept beside the copies of other things. */
const tombstoneKey = ({ integrationRef, externalId }: TaskKey): ObjectKey => ({
  integrationRef,
  kind: 'task',
  externalId,
});

const textOf = ({ integrationRef, externalId }: TaskKey) => `${integrationRef} ${externalId}`;
const objectText = ({ integrationRef, kind, externalId }: ObjectKey) => `${integrationRef} ${kind} ${externalId}`;
