import { append, type UseCaseContext } from '@eas/db';
import { noPullRequest } from '../inbound/early-checks.store.ts';
import type { Applied } from '../inbound/inbound-event.ts';
import { applyPatch } from './apply-patch.ts';
import { numberedKey, type PlatformBatch } from './platform-batch.ts';
import type { Read } from './read-receipt.ts';
import { type Found, isWorkedOn, newFindings } from '../source-host/finding.ts';
import {
  newerOf,
  numberedId,
  type PullRequest,
  type PullRequestKey,
  type ShownPullRequest,
  withResult,
} from '../source-host/pull-request.ts';
import type { PullRequestComment } from '../source-host/followed.ts';
import type { KeptStage } from '../source-host/pull-request.store.ts';
import { canPublish, isReplacedReview, type Stage, stageData, stageEntry } from '../source-host/pull-request-stage.ts';

type PullRequestReceipt = Read<'pull request'>;

/**
 * Brings pull requests to what an event says of them. Each stage is published once, and is once in the timeline of the task
 * that the pull request is linked to; one that is linked later, or to another task, brings its earlier stages with it.
 */
export async function applyPullRequest(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: PullRequestReceipt,
): Promise<Applied> {
  const keys = batch.pullRequests.keysOf(read);
  if (keys.length === 0) return { status: 'ignored', outcome: noPullRequest };
  const done: string[] = [];
  for (const key of keys) done.push(...(await applyTo(ctx, batch, read, key)));
  if (done.length === 0) return { status: 'ignored', outcome: 'nothing newer than the stored state' };
  return { status: 'applied', outcome: done.join('; ').slice(0, 1_000).toWellFormed() };
}

async function applyTo(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: PullRequestReceipt,
  key: PullRequestKey,
): Promise<string[]> {
  const { pullRequests } = batch;
  const before = pullRequests.get(key);
  const after = merged(before, read, taskOf(before, read, batch.namedTasks(read)));
  if (after !== before) pullRequests.set(after);
  const isLinked = after.taskId !== before.taskId;
  // It may have come after the review, or after the integration was paused for a while.
  if (isLinked && isWorkedOn(after)) batch.wantReviews(after.taskId ?? '');
  const stages = await newStages(batch, read, { key, isLinked });
  const unpublished = stages.filter((one) => !one.isPublished && canPublish(one.stage, after)).map((one) => one.stage);
  for (const one of unpublished) await publish(ctx, batch, read, after, one);
  const { base = null } = after.shown ?? {};
  if (base !== null && unpublished.some(({ event }) => event === 'pr.merged')) batch.baseMoved({ ...key, base });
  const reported = { stages: stages.map(({ stage }) => stage), comments: read.reported.comments };
  const found = isWorkedOn(after)
    ? {
        ...reported,
        findings: [...newFindings(before, after), ...(await reviewFindings(pullRequests, key, reported.stages))],
      }
    : withoutFindings(reported);
  const changed = await changeTask(ctx, batch, after, found);
  const name = numberedId(key);
  return [
    ...(isLinked ? [`linked ${name} to ${after.taskId}`] : []),
    ...unpublished.map(({ event }) => `reported ${name} as ${event}`),
    ...(changed || stages.length > unpublished.length ? [`kept what is new of ${name}`] : []),
  ];
}

/** A link moves when the newest event no longer names its task, and names another. */
function taskOf(
  { taskId, shown: known }: PullRequest,
  { reported }: PullRequestReceipt,
  named: string[],
): string | null {
  const [first = null] = named;
  if (taskId === null) return first;
  const isNewest = reported.shown !== null && newerOf(known, reported.shown) === reported.shown;
  return isNewest && first !== null && !named.includes(taskId) ? first : taskId;
}

/** Stages that are new to the task: that of the receipt, and those from before where the pull request is linked just now. */
async function newStages(
  { pullRequests }: PlatformBatch,
  { reported: { stage } }: PullRequestReceipt,
  { key, isLinked }: { key: PullRequestKey; isLinked: boolean },
): Promise<KeptStage[]> {
  const stages = isLinked ? await pullRequests.stagesBefore(key) : [];
  if (stage && pullRequests.takeStage(key, stage)) stages.push({ stage, isPublished: false });
  return stages.sort((a, b) => a.stage.at.getTime() - b.stage.at.getTime());
}

type ReportedWork = { stages: readonly Stage[]; comments: readonly PullRequestComment[] };
type FoundWork = ReportedWork & { findings: Found[] };

/** A comment on a pull request whose task is not in progress is no message. */
const withoutFindings = ({ stages, comments }: ReportedWork): FoundWork => ({
  stages,
  comments: comments.map(({ finding: _, ...comment }) => comment),
  findings: [],
});

/** Of reviews that the same reviewer has not replaced by a newer decision, which may have come before them. */
async function reviewFindings(
  { stagesBefore }: PlatformBatch['pullRequests'],
  key: PullRequestKey,
  stages: readonly Stage[],
): Promise<Found[]> {
  if (!stages.some(({ finding }) => finding)) return [];
  const known = [...(await stagesBefore(key)).map(({ stage }) => stage), ...stages];
  return stages.flatMap((one) => (known.some((other) => isReplacedReview(one, other)) ? [] : (one.finding ?? [])));
}

/** True: there was something for the task that the pull request is linked to. */
async function changeTask(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  pullRequest: PullRequest,
  { stages, comments, findings }: FoundWork,
): Promise<boolean> {
  const { taskId, integrationRef } = pullRequest;
  if (taskId === null || stages.length + comments.length + findings.length === 0) return false;
  for (const { checks } of findings) if (checks) batch.wantChecks(pullRequest, taskId, checks);
  const { completesOnMerge } = batch.settingsOf(integrationRef);
  const entries = stages.map((stage) => ({
    ...stageEntry(stage, pullRequest),
    completesTask: completesOnMerge && stage.event === 'pr.merged',
  }));
  await applyPatch(ctx, batch, numberedKey(pullRequest), { taskId, changes: {}, stages: entries, comments, findings });
  return true;
}

function merged(
  before: PullRequest,
  { reported: { shown, checks } }: PullRequestReceipt,
  taskId: string | null,
): PullRequest {
  const newest = shown ? newestOf(before.shown, shown) : before.shown;
  const results = checks ? withResult(before.checks, checks.suite, checks.result) : before.checks;
  const isSame = newest === before.shown && results === before.checks && taskId === before.taskId;
  return isSame ? before : { ...before, shown: newest, checks: results, taskId };
}

/** The newer one; what only the other one says of the conflicts of the same commit stays known. */
function newestOf(known: ShownPullRequest | null, shown: ShownPullRequest): ShownPullRequest {
  const newest = newerOf(known, shown);
  const other = newest === shown ? known : shown;
  const isKeptBack = newest.hasConflict === null && other?.headSha === newest.headSha && other.hasConflict !== null;
  return isKeptBack ? { ...newest, hasConflict: other.hasConflict } : newest;
}

async function publish(
  ctx: UseCaseContext,
  { pullRequests }: PlatformBatch,
  { receipt }: PullRequestReceipt,
  pullRequest: PullRequest,
  stage: Stage,
): Promise<void> {
  const data = stageData(stage, pullRequest);
  await ctx.inTransaction(async (tx) =>
    append(tx, { type: stage.event, at: receipt.receivedAt, data, facts: null } as never),
  );
  pullRequests.setPublished(pullRequest, stage);
}
