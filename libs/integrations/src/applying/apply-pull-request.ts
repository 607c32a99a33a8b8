import { append, type UseCaseContext } from '@eas/db';
import type { Applied } from '../inbound/inbound-event.ts';
import type { PlatformBatch } from './platform-batch.ts';
import type { Read } from './read-receipt.ts';
import { newerOf, numberedId, type PullRequest, type PullRequestKey, withResult } from '../source-host/pull-request.ts';
import { canPublish, type Stage, stageData, stageEntry } from '../source-host/pull-request-stage.ts';

type PullRequestReceipt = Read<'pull request'>;

/**
 * Brings pull requests to what an event says of them. Each stage is published once, and is once in the timeline of the task
 * that the pull request is linked to; one that is linked later brings its earlier stages with it.
 */
export async function applyPullRequest(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: PullRequestReceipt,
): Promise<Applied> {
  const keys = batch.pullRequests.keysOf(read);
  if (keys.length === 0)
    return { status: 'ignored', outcome: 'no_pull_request: no known pull request has this commit' };
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
  const after = merged(before, read, before.taskId ?? batch.namedTask(read) ?? null);
  if (after !== before) pullRequests.set(after);
  const isLinked = after.taskId !== before.taskId;
  const kept = isLinked ? await pullRequests.stagesBefore(key) : [];
  const { stage } = read.news;
  if (pullRequests.takeStage(key, stage)) kept.push({ stage, isPublished: false });
  kept.sort((a, b) => a.stage.at.getTime() - b.stage.at.getTime());
  const unpublished = kept.filter((one) => !one.isPublished && canPublish(one.stage, after)).map((one) => one.stage);
  for (const one of unpublished) await publish(ctx, batch, read, after, one);
  if (after.taskId !== null && kept.length > 0)
    await batch.tasks.apply(ctx, {
      taskId: after.taskId,
      changes: {},
      stages: kept.map((one) => stageEntry(one.stage, after)),
    });
  const name = numberedId(key);
  return [
    ...(isLinked ? [`linked ${name} to ${after.taskId}`] : []),
    ...unpublished.map(({ event }) => `reported ${name} as ${event}`),
    ...(kept.length > unpublished.length && !isLinked ? [`kept ${stage.event} of ${name}`] : []),
  ];
}

function merged(
  before: PullRequest,
  { news: { shown, checks } }: PullRequestReceipt,
  taskId: string | null,
): PullRequest {
  const newest = shown ? newerOf(before.shown, shown) : before.shown;
  const results = checks ? withResult(before.checks, checks.suite, checks.result) : before.checks;
  const isSame = newest === before.shown && results === before.checks && taskId === before.taskId;
  return isSame ? before : { ...before, shown: newest, checks: results, taskId };
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
