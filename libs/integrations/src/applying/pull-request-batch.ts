import { lockNames, type Tx } from '@eas/db';
import { findNamedTasks } from '@eas/tasks';
import type { Read, ReadReceipt } from './read-receipt.ts';
import type { NamedTasks } from '../source-host/named-tasks.ts';
import { numberedId, type PullRequest, type PullRequestKey } from '../source-host/pull-request.ts';
import type { Stage } from '../source-host/pull-request-stage.ts';
import {
  findByCommit,
  insertStages,
  type KeptStage,
  readPullRequests,
  readStages,
  savePullRequests,
  stageText,
} from '../source-host/pull-request.store.ts';
import { commitId, maxChecked } from '../source-host/pull-request-event.ts';
import type { CheckedCommit } from '../inbound/early-checks.store.ts';

type PullRequestReceipt = Read<'pull request'>;

/** The pull requests that some receipts are about, which are locked as other things of platforms are. */
export type PullRequestBatch = {
  /** Keys of those that a receipt is about. */
  keysOf(read: PullRequestReceipt): PullRequestKey[];
  get(key: PullRequestKey): PullRequest;
  set(pullRequest: PullRequest): void;
  /** The tasks that a text names, as far as they are there, in the order in which they count. */
  tasksOf(named: NamedTasks): string[];
  /** Whether the stage is new; the first to ask gets true. */
  takeStage(key: PullRequestKey, stage: Stage): boolean;
  /** Stages from before, oldest first. */
  stagesBefore(key: PullRequestKey): Promise<KeptStage[]>;
  setPublished(key: PullRequestKey, stage: Stage): void;
  /** Tasks that receipts may change: those that pull requests are linked to, or are going to be. */
  taskIds(read: PullRequestReceipt): string[];
  save(): Promise<void>;
};

/** Keys of what the receipts are about. It is looked up before anything is locked: to lock it is to know it. */
export async function findPullRequestKeys(
  tx: Tx,
  receipts: readonly ReadReceipt[],
): Promise<(read: PullRequestReceipt) => PullRequestKey[]> {
  const reads = receipts.flatMap((read) => (read.kind === 'pull request' ? [read] : []));
  // Checks and a pull request that come at one moment: one of the two sees the other.
  await lockNames(tx, commitNames(reads));
  const ofChecks = reads.filter(({ reported }) => reported.checks);
  const found = await findByCommit(tx, ofChecks.flatMap(commitOf), maxChecked);
  return (read) => {
    const { integrationRef } = read.receipt;
    const { repository, numbers } = read.reported;
    const byCommit = commitOf(read).flatMap(({ sha }) =>
      found.filter((one) => one.integrationRef === integrationRef && one.repository === repository && one.sha === sha),
    );
    const all = new Set([...numbers, ...byCommit.map(({ number }) => number)]);
    return [...all].slice(0, maxChecked).map((number) => ({ integrationRef, repository, number }));
  };
}

const commitNames = (reads: readonly PullRequestReceipt[]): string[] =>
  reads.flatMap(({ receipt: { integrationRef }, reported: { repository, shown, checks } }) => {
    const sha = checks?.result.sha ?? shown?.headSha;
    return sha ? [`commit ${integrationRef} ${commitId(repository, sha)}`] : [];
  });

/** What checks of the commits would be about that pull requests show now. */
export const shownCommits = (receipts: readonly ReadReceipt[]): CheckedCommit[] =>
  receipts.flatMap((read) => {
    if (read.kind !== 'pull request' || !read.reported.shown?.headSha) return [];
    const { integrationRef } = read.receipt;
    return [{ integrationRef, externalId: commitId(read.reported.repository, read.reported.shown.headSha) }];
  });

const commitOf = ({ receipt: { integrationRef }, reported: { repository, checks } }: PullRequestReceipt) =>
  checks ? [{ integrationRef, repository, sha: checks.result.sha }] : [];

/** More entries at once say nothing more. */
const maxStagesBefore = 200;

const textOf = (key: PullRequestKey) => `${key.integrationRef} ${numberedId(key)}`;

/** Reads what is locked, and keeps the stages of the receipts. */
export async function openPullRequests(
  tx: Tx,
  receipts: readonly ReadReceipt[],
  keysOf: PullRequestBatch['keysOf'],
): Promise<PullRequestBatch> {
  const reads = receipts.flatMap((read) => (read.kind === 'pull request' ? [read] : []));
  const stages = reads.flatMap((read) => {
    const { stage } = read.reported;
    return stage ? keysOf(read).map((key) => ({ ...key, stage })) : [];
  });
  const fresh = await insertStages(tx, stages);
  const known = new Map((await readPullRequests(tx, reads.flatMap(keysOf))).map((row) => [textOf(row), row]));
  const tasksOf = await findNamed(
    tx,
    reads.map(({ reported }) => reported.named),
  );
  return batchOf(tx, { keysOf, fresh, known, tasksOf });
}

/** Finds the tasks that a text names, of texts that are looked up together. */
async function findNamed(tx: Tx, named: readonly NamedTasks[]): Promise<PullRequestBatch['tasksOf']> {
  const ids = named.flatMap((one) => one.ids);
  const tasks = await findNamedTasks(tx, { ids, tickets: named.flatMap((one) => one.tickets) });
  return (one) => [
    ...one.ids.filter((id) => tasks.ids.has(id)),
    ...one.tickets.flatMap((ticket) => tasks.byTicket.get(ticket) ?? []),
  ];
}

type Found = Pick<PullRequestBatch, 'keysOf' | 'tasksOf'> & { fresh: Set<string>; known: Map<string, PullRequest> };

function batchOf(tx: Tx, { keysOf, tasksOf, fresh, known }: Found): PullRequestBatch {
  const changed = new Map<string, PullRequest>();
  const published: (PullRequestKey & { stage: string })[] = [];
  const get = (key: PullRequestKey) => known.get(textOf(key)) ?? { ...key, shown: null, checks: {}, taskId: null };
  const isFresh = (key: PullRequestKey, stage: Stage) => fresh.has(stageText({ ...key, stage: stage.key }));
  return {
    keysOf,
    get,
    set(pullRequest) {
      known.set(textOf(pullRequest), pullRequest);
      changed.set(textOf(pullRequest), pullRequest);
    },
    tasksOf,
    takeStage: (key, { key: stage }) => fresh.delete(stageText({ ...key, stage })),
    stagesBefore: async (key) =>
      (await readStages(tx, key, maxStagesBefore)).filter(({ stage }) => !isFresh(key, stage)),
    setPublished: (key, { key: stage }) => void published.push({ ...keyOnly(key), stage }),
    taskIds: (read) => [
      ...keysOf(read).flatMap((key) => get(key).taskId ?? []),
      ...tasksOf(read.reported.named).slice(0, 1),
    ],
    save: () => savePullRequests(tx, [...changed.values()], published),
  };
}

const keyOnly = ({ integrationRef, repository, number }: PullRequestKey) => ({ integrationRef, repository, number });
