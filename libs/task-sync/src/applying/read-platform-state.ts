import { lockNames, type Tx } from '@eas/db';
import { findNamedTasks, type PlatformChanges } from '@eas/tasks';
import {
  commentKeysOf,
  commitOf,
  numberedKey,
  objectKeysOf,
  objectText,
  pullRequestKeysOf,
  pullRequestText,
  type TaskKey,
  taskKeyOf,
  taskText,
  tombstoneKey,
  unlabelledKey,
} from '../merging/platform-keys.ts';
import { isCallable, type PlatformState, taskIdsOf } from '../merging/platform-state.ts';
import type { Read, ReadReceipt } from '../merging/read-receipt.ts';
import { readOwnComments } from '@eas/platform-calls';
import type { InboundRules } from '@eas/integrations';
import { lockPlatformThings, readPlatformObjects, readTaskLinks } from '@eas/task-platform';
import { commitId, findByCommit, insertStages, maxChecked, readPullRequests } from '@eas/source-host';

type PullRequestReceipt = Read<'pull request'>;

/**
 * Locks all that the receipts are about, and reads it: things of platforms first, then the tasks that they are linked to,
 * in `tasks`. The stages of pull requests are stored at once, which shows the new ones.
 */
export async function readPlatformState(
  tx: Tx,
  tasks: Pick<PlatformChanges, 'lock'>,
  receipts: readonly ReadReceipt[],
  rules: ReadonlyMap<string, InboundRules>,
): Promise<PlatformState> {
  const keys = receipts.flatMap((read) => (read.kind === 'task' ? [taskKeyOf(read)] : []));
  const reads = receipts.flatMap((read) => (read.kind === 'pull request' ? [read] : []));
  const byCommit = await findPullRequests(tx, reads);
  const numbered = reads.flatMap((read) => pullRequestKeysOf(byCommit, read));
  const named = receipts.flatMap(objectKeysOf).map(({ kind, externalId, ...key }) => ({
    ...key,
    externalId: `${kind} ${externalId}`,
  }));
  await lockPlatformThings(tx, [...keys, ...named, ...numbered.map(numberedKey)]);
  const links = new Map((await readTaskLinks(tx, keys)).map((link) => [taskText(link), link]));
  const unlinked = keys.filter((key) => !links.has(taskText(key)));
  const objects = await readObjects(tx, receipts, unlinked);
  const ofPullRequests = await readPullRequestState(tx, reads, byCommit);
  const state = { rules, links, objects, ownComments: new Map(), published: new Set<string>(), ...ofPullRequests };
  const taskIds = (read: ReadReceipt) => taskIdsOf(state, read);
  await tasks.lock(receipts.flatMap(taskIds), receipts.filter(mayEnd).flatMap(taskIds));
  return { ...state, ownComments: await readOwn(tx, state, receipts) };
}

/** Of commits whose checks are reported. It is looked up before anything is locked: to lock it is to know it. */
async function findPullRequests(tx: Tx, reads: readonly PullRequestReceipt[]): Promise<PlatformState['byCommit']> {
  // Checks and a pull request that come at one moment: one of the two sees the other.
  await lockNames(tx, reads.flatMap(commitNames));
  return findByCommit(tx, reads.flatMap(commitOf), maxChecked);
}

function commitNames({ receipt: { integrationRef }, reported }: PullRequestReceipt): string[] {
  const sha = reported.checks?.result.sha ?? reported.shown?.headSha;
  return sha ? [`commit ${integrationRef} ${commitId(reported.repository, sha)}`] : [];
}

/** Tombstones and comments are locked with their task. */
async function readObjects(tx: Tx, receipts: readonly ReadReceipt[], unlinked: readonly TaskKey[]) {
  const remembered = unlinked.flatMap((key) => [tombstoneKey(key), unlabelledKey(key)]);
  const keys = [...receipts.flatMap(objectKeysOf), ...receipts.flatMap(commentKeysOf), ...remembered];
  return new Map((await readPlatformObjects(tx, keys)).map((object) => [objectText(object), object]));
}

async function readPullRequestState(tx: Tx, reads: readonly PullRequestReceipt[], byCommit: PlatformState['byCommit']) {
  const keysOf = (read: PullRequestReceipt) => pullRequestKeysOf(byCommit, read);
  const stages = reads.flatMap((read) => {
    const { stage } = read.reported;
    return stage ? keysOf(read).map((key) => ({ ...key, stage })) : [];
  });
  const newStages = await insertStages(tx, stages);
  const rows = await readPullRequests(tx, reads.flatMap(keysOf));
  const ids = reads.flatMap(({ reported }) => reported.named.ids);
  const named = await findNamedTasks(tx, { ids, tickets: reads.flatMap(({ reported }) => reported.named.tickets) });
  return { byCommit, newStages, named, pullRequests: new Map(rows.map((row) => [pullRequestText(row), row])) };
}

/** Comments that this service posted to the tasks on which receipts report comments. */
async function readOwn(tx: Tx, state: PlatformState, receipts: readonly ReadReceipt[]) {
  const commented = receipts.flatMap((read) => (read.kind === 'task' && hasComment(read) ? [taskKeyOf(read)] : []));
  const own = await readOwnComments(
    tx,
    commented.filter((key) => isCallable(state, key)),
  );
  return Map.groupBy(own, ({ integrationId, externalId }) => taskText({ integrationRef: integrationId, externalId }));
}

const hasComment = ({ reported }: Read<'task'>) => reported.changes.some(({ field }) => field === 'comment');

/** Whether the lease of the task has to be locked as well. */
function mayEnd(read: ReadReceipt): boolean {
  // What is wrong with the work takes a task out of its review.
  if (read.kind === 'pull request') return true;
  if (read.kind !== 'task') return false;
  const { changes, deletedAt } = read.reported;
  return deletedAt !== undefined || changes.some(({ field }) => field === 'status');
}
