import type { EventData } from '@eas/contracts';
import { append, type Tx } from '@eas/db';
import { platformChanges, type PlatformChanges, readNewestReviews } from '@eas/tasks';
import { findPullRequestKeys, openPullRequests, type PullRequestBatch } from './pull-request-batch.ts';
import type { Read, ReadReceipt } from './read-receipt.ts';
import type { NewCall } from '../calls/platform-call.ts';
import { askWhetherMergeable, type OwnComment, readOwnComments, wantCalls } from '../calls/platform-call.store.ts';
import { digest } from '../inbound/dedupe-key.ts';
import { type InboundRules, noRules } from '../integrations/integration.read-model.ts';
import type { ObjectCopy } from '../platform/platform-object.ts';
import type { TaskChange } from '../platform/task-change.ts';
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
import { type MovedBase, readOwnInto } from '../source-host/own-pull-request.read-model.ts';
import { issueStatusMap } from '../source-host/reported-issue.ts';
import type { RedChecks } from '../source-host/finding.ts';
import { reviewCallsOf } from '../source-host/review-calls.ts';
import { numberedId, type PullRequestKey } from '../source-host/pull-request.ts';

export type TaskKey = Pick<TaskLink, 'integrationRef' | 'externalId'>;

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
  settingsOf(integrationRef: string): InboundRules;
  pullRequests: PullRequestBatch;
  /** The tasks that a pull request names, in the order in which they count. */
  namedTasks(read: Read<'pull request'>): string[];
  /** Has the other pull requests of a branch looked at, into which something was merged. */
  baseMoved(base: MovedBase): void;
  /** Has what failed checks say read from the source host, when this can be done. */
  wantChecks(of: PullRequestKey, taskId: string, checks: RedChecks): void;
  /** Has what an agent reviewed of a task said in its pull requests, when this can be done. */
  wantReviews(taskId: string): void;
  /** Has what is not known of a new task read from the platform, when this can be done. */
  wantRead(key: TaskKey): void;
  /** Comments that this service posted to the platform's task; read only when receipts report comments. */
  ownCommentsOf(key: TaskKey): readonly OwnComment[];
  /** Reports a person's comment that may be an answer. */
  reportReply(reply: EventData<'platform.replied'>, at: Date): void;
  /** Our tasks that are linked, locked like the rest. */
  tasks: Omit<PlatformChanges, 'save'>;
  save(): Promise<void>;
};

export async function openPlatformBatch(
  tx: Tx,
  receipts: readonly ReadReceipt[],
  rules: ReadonlyMap<string, InboundRules>,
): Promise<PlatformBatch> {
  const settingsOf = (integrationRef: string) => rules.get(integrationRef) ?? noRules;
  const tasks = receipts.flatMap((read) => (read.kind === 'task' ? [taskKeyOf(read)] : []));
  const pullRequestsOf = await lockThings(tx, receipts, tasks);
  const links = changes((await readTaskLinks(tx, tasks)).map((link) => [textOf(link), link]));
  const unknown = tasks.filter((key) => !links.get(textOf(key)));
  const copies = await readCopies(tx, receipts, unknown);
  const changed = platformChanges(tx);
  const pullRequests = await openPullRequests(tx, receipts, pullRequestsOf);
  await lockLinked(changed, receipts, (read) => {
    if (read.kind === 'pull request') return pullRequests.taskIds(read);
    return read.kind === 'task' ? (links.get(textOf(taskKeyOf(read)))?.taskId ?? []) : [];
  });
  const isCallable = ({ integrationRef }: TaskKey) => {
    const settings = settingsOf(integrationRef);
    return settings.type === 'taskplatform' && settings.isCallable;
  };
  const own = await readOwn(tx, receipts, isCallable);
  return batchOf(tx, { settingsOf, isCallable, links, copies, own, pullRequests, tasks: changed });
}

/** Locks all that the receipts are about, in one statement. Gives the pull requests of each. */
async function lockThings(tx: Tx, receipts: readonly ReadReceipt[], tasks: readonly TaskKey[]) {
  const objects = receipts.flatMap(objectKeysOf).map(({ integrationRef, kind, externalId }) => ({
    integrationRef,
    externalId: `${kind} ${externalId}`,
  }));
  const pullRequestsOf = await findPullRequestKeys(tx, receipts);
  const numbered = receipts.flatMap((read) => (read.kind === 'pull request' ? pullRequestsOf(read) : []));
  await lockPlatformThings(tx, [...tasks, ...objects, ...numbered.map(numberedKey)]);
  return pullRequestsOf;
}

/** Tombstones and comments are locked with their task. `unknown`: tasks without a link. */
async function readCopies(tx: Tx, receipts: readonly ReadReceipt[], unknown: readonly TaskKey[]) {
  const remembered = unknown.flatMap((key) => [tombstoneKey(key), unlabelledKey(key)]);
  const keys = [...receipts.flatMap(objectKeysOf), ...receipts.flatMap(commentKeysOf), ...remembered];
  const kept = await readPlatformObjects(tx, keys);
  return changes<PlatformObject>(kept.map((object) => [objectText(object), object]));
}

/** Comments that this service posted to the tasks on which receipts report comments. */
async function readOwn(tx: Tx, receipts: readonly ReadReceipt[], isCallable: (key: TaskKey) => boolean) {
  const commented = receipts.flatMap((read) => (read.kind === 'task' && hasComment(read) ? [taskKeyOf(read)] : []));
  return Map.groupBy(await readOwnComments(tx, commented.filter(isCallable)), (one) =>
    textOf({ integrationRef: one.integrationId, externalId: one.externalId }),
  );
}

type Parts = Pick<PlatformBatch, 'settingsOf' | 'pullRequests'> & {
  links: Changes<TaskLink>;
  copies: Changes<PlatformObject>;
  own: ReadonlyMap<string, OwnComment[]>;
  isCallable: (key: TaskKey) => boolean;
  tasks: PlatformChanges;
};

function batchOf(tx: Tx, parts: Parts): PlatformBatch {
  const { settingsOf, isCallable, links, copies, own, pullRequests, tasks } = parts;
  const wanted: TaskKey[] = [];
  const moved: MovedBase[] = [];
  const checked: NewCall[] = [];
  const reviewed: string[] = [];
  const setObject = (key: ObjectKey, copy: ObjectCopy) => copies.set(objectText(key), { ...copy, ...key });
  const linkOf = (key: TaskKey) => links.get(textOf(key));
  return {
    linkOf,
    setLink: (link) => links.set(textOf(link), link),
    tombstoneOf: (key) => copies.get(objectText(tombstoneKey(key)))?.updatedAt.getTime(),
    setTombstone: (key, deletedAt) =>
      setObject(tombstoneKey(key), { data: { is_deleted: true }, fieldDates: {}, updatedAt: new Date(deletedAt) }),
    objectOf: (key) => copies.get(objectText(key)),
    setObject,
    rulesOf: (integrationRef) => platformRules(settingsOf(integrationRef)),
    settingsOf,
    pullRequests,
    namedTasks({ receipt: { integrationRef }, reported: { named } }) {
      // A task that this very batch has made is not found by what it is called.
      const made = named.tickets.flatMap((externalId) => linkOf({ integrationRef, externalId })?.taskId ?? []);
      return [...pullRequests.tasksOf(named), ...made];
    },
    baseMoved: (base) => void moved.push(base),
    wantChecks({ integrationRef: integrationId, repository, number }, taskId, { key, suite, sha }) {
      if (!settingsOf(integrationId).isCallable) return;
      const externalId = numberedId({ repository: repository.toLowerCase(), number });
      const payload = { taskId, checks: { repository, number, sha, suite } };
      checked.push({ integrationId, kind: 'checks', externalId, key, payload });
    },
    wantReviews: (taskId) => void reviewed.push(taskId),
    wantRead: (key) => void (isCallable(key) && wanted.push(key)),
    ownCommentsOf: (key) => own.get(textOf(key)) ?? [],
    reportReply: (data, at) => append(tx, { type: 'platform.replied', at, data, facts: null }),
    tasks,
    async save() {
      tasks.save();
      await pullRequests.save();
      const unread = wanted.filter((key) => !isWhole(links.get(textOf(key))));
      await saveTaskLinks(tx, links.changed());
      await savePlatformObjects(tx, copies.changed());
      const isHost = (id: string) => settingsOf(id).isCallable;
      const reviews = await reviewCallsOf(tx, await readNewestReviews(tx, reviewed), isHost);
      await wantCalls(tx, [...unread.map(readCallOf), ...checked, ...reviews]);
      await askWhetherMergeable(tx, await readOwnInto(tx, moved));
    },
  };
}

const hasComment = ({ reported }: Read<'task'>) => reported.changes.some(({ field }) => field === 'comment');

const isWhole = (link: TaskLink | undefined) =>
  link?.fieldDates['title'] !== undefined && link.fieldDates['description'] !== undefined;

const readCallOf = ({ integrationRef: integrationId, externalId }: TaskKey) =>
  ({ integrationId, kind: 'task', externalId, key: '', payload: {} }) as const;

function platformRules({ type, statusMap, assigneeMap, labels, projectMap }: InboundRules): PlatformRules {
  const words = type === 'github' ? issueStatusMap : statusMap;
  return {
    meaningOf: (word, ofType) => statusMeaning(words, word, ofType),
    targetOf: (user) => targetOf(assigneeMap, user),
    targetOfLabel: (label) => targetOf(labels, { key: label, id: null, email: null, name: label }),
    projectOfPlace: (id) => (Object.hasOwn(projectMap, id) ? projectMap[id] : undefined),
  };
}

/** Locks the tasks that are known already: together, and their leases where the platform may end them. */
async function lockLinked(
  changed: PlatformChanges,
  receipts: readonly ReadReceipt[],
  taskIdsOf: (read: ReadReceipt) => string | readonly string[],
): Promise<void> {
  await changed.lock(receipts.flatMap(taskIdsOf), receipts.filter(mayEnd).flatMap(taskIdsOf));
}

function mayEnd(read: ReadReceipt): boolean {
  // What is wrong with the work takes a task out of its review.
  if (read.kind === 'pull request') return true;
  if (read.kind !== 'task') return false;
  const { changes, deletedAt } = read.reported;
  return deletedAt !== undefined || changes.some(({ field }) => field === 'status');
}

type Changes<V> = ReturnType<typeof changes<V>>;

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
  return read.reported.mentions.map(({ kind, id }) => ({ integrationRef, kind, externalId: id }));
}

export function commentKeyOf({ integrationRef, externalId }: TaskKey, commentId: string): ObjectKey {
  return { integrationRef, kind: 'comment', externalId: digest([externalId, commentId]) };
}

function commentKeysOf(read: ReadReceipt): ObjectKey[] {
  if (read.kind === 'task') return read.reported.changes.flatMap((change) => keysOfComment(taskKeyOf(read), change));
  if (read.kind !== 'pull request') return [];
  const { integrationRef } = read.receipt;
  const { repository, numbers, comments } = read.reported;
  const keys = numbers.map((number) => numberedKey({ integrationRef, repository, number }));
  return keys.flatMap((key) => comments.flatMap((comment) => keysOfComment(key, comment)));
}

const keysOfComment = (key: TaskKey, change: TaskChange): ObjectKey[] =>
  change.field === 'comment' && change.id !== null ? [commentKeyOf(key, change.id)] : [];

export const numberedKey = (key: PullRequestKey): TaskKey => ({
  integrationRef: key.integrationRef,
  externalId: numberedId(key),
});

/** Kept beside the copies of other things. */
const tombstoneKey = ({ integrationRef, externalId }: TaskKey): ObjectKey => ({
  integrationRef,
  kind: 'task',
  externalId,
});

/** Of a thing that is no task as long as it has no label that makes it one: its newest changes. */
export const unlabelledKey = (key: TaskKey): ObjectKey => ({ ...tombstoneKey(key), kind: 'unlabelled' });

const textOf = ({ integrationRef, externalId }: TaskKey) => `${integrationRef} ${externalId}`;
const objectText = ({ integrationRef, kind, externalId }: ObjectKey) => `${integrationRef} ${kind} ${externalId}`;
