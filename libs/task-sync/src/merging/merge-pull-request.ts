import type { NewEvent } from '@eas/db';
import { applied, type Effect, ignored, type Merged } from './effects.ts';
import { mergeFindings } from './merge-findings.ts';
import { pullRequestKeysOf, pullRequestText } from './platform-keys.ts';
import { namedTasksOf, type PlatformState, pullRequestOf } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import {
  canPublish,
  isWorkedOn,
  type KeptStage,
  newerOf,
  newestOf,
  noPullRequest,
  numberedId,
  type PullRequest,
  type PullRequestKey,
  type Stage,
  stageData,
  stageText,
  withResult,
} from '@eas/source-host';

type PullRequestReceipt = Read<'pull request'>;
/** Stages that were stored before, by the text of the pull request, oldest first. */
export type EarlierStages = ReadonlyMap<string, readonly KeptStage[]>;

/**
 * What an event does to the pull requests that it is about. Each stage is published once, and is once in the timeline of
 * the task that the pull request is linked to; one that is linked later, or to another task, adds its earlier stages too.
 */
export function mergePullRequests(state: PlatformState, read: PullRequestReceipt, earlier: EarlierStages): Merged {
  const keys = pullRequestKeysOf(state.byCommit, read);
  if (keys.length === 0) return ignored([], noPullRequest);
  const all = keys.map((key) => mergeOne(state, read, key, earlier.get(pullRequestText(key)) ?? []));
  const effects = all.flatMap((one) => one.effects);
  const done = all.flatMap((one) => one.done);
  if (done.length === 0) return ignored(effects, 'nothing newer than the stored state');
  return applied(effects, done.join('; ').slice(0, 1_000).toWellFormed());
}

/** The pull requests of a receipt whose earlier stages count: those that it links, and those that it reviews. */
export const needsEarlierStages = (state: PlatformState, read: PullRequestReceipt): PullRequestKey[] =>
  pullRequestKeysOf(state.byCommit, read).filter((key) => {
    const { before, after } = shownAfter(state, read, key);
    const isReviewed = newStage(state, read, key)?.finding !== undefined && isWorkedOn(after);
    return isReviewed || after.taskId !== before.taskId;
  });

function mergeOne(
  state: PlatformState,
  read: PullRequestReceipt,
  key: PullRequestKey,
  earlier: readonly KeptStage[],
): { effects: Effect[]; done: string[] } {
  const { before, after } = shownAfter(state, read, key);
  const isLinked = after.taskId !== before.taskId;
  const own = newStage(state, read, key);
  const stages = [...(isLinked ? earlier : []), ...(own ? [{ stage: own, isPublished: false }] : [])];
  stages.sort((a, b) => a.stage.at.getTime() - b.stage.at.getTime());
  const isPublished = ({ stage, ...one }: KeptStage) =>
    one.isPublished || state.published.has(stageText({ ...key, stage: stage.key }));
  const unpublished = stages.flatMap((one) => (isPublished(one) || !canPublish(one.stage, after) ? [] : [one.stage]));
  const ofTask = mergeFindings(state, read, { before, after, earlier, stages: stages.map(({ stage }) => stage) });
  const isMerged = unpublished.some(({ event }) => event === 'pr.merged');
  const { base = null } = after.shown ?? {};
  const name = numberedId(key);
  const effects: Effect[] = [
    ...(after === before ? [] : [{ kind: 'pull request' as const, pullRequest: after }]),
    // It may have come after the review, or after the integration was paused for a while.
    ...(isLinked && isWorkedOn(after) ? [{ kind: 'post reviews' as const, taskId: after.taskId ?? '' }] : []),
    ...(own ? [{ kind: 'stage' as const, stage: { ...key, stage: own.key } }] : []),
    ...unpublished.map((stage) => publish(read, after, stage)),
    ...(base !== null && isMerged ? [{ kind: 'base moved' as const, base: { ...key, base } }] : []),
    ...ofTask,
  ];
  const isKept = ofTask.length > 0 || stages.length > unpublished.length;
  return {
    effects,
    done: [
      ...(isLinked ? [`linked ${name} to ${after.taskId}`] : []),
      ...unpublished.map(({ event }) => `reported ${name} as ${event}`),
      ...(isKept ? [`kept what is new of ${name}`] : []),
    ],
  };
}

/** The pull request before and after the event. */
function shownAfter(state: PlatformState, read: PullRequestReceipt, key: PullRequestKey) {
  const before = pullRequestOf(state, key);
  const { shown, checks } = read.reported;
  const taskId = taskOf(before, read, namedTasksOf(state, read));
  const newest = shown ? newestOf(before.shown, shown) : before.shown;
  const results = checks ? withResult(before.checks, checks.suite, checks.result) : before.checks;
  const isSame = newest === before.shown && results === before.checks && taskId === before.taskId;
  return { before, after: isSame ? before : { ...before, shown: newest, checks: results, taskId } };
}

/** A link moves when the newest event no longer names its task, and names another. */
function taskOf(
  { taskId, shown: known }: PullRequest,
  { reported: { shown } }: PullRequestReceipt,
  named: string[],
): string | null {
  const [first = null] = named;
  if (taskId === null) return first;
  const isNewest = shown !== null && newerOf(known, shown) === shown;
  return isNewest && first !== null && !named.includes(taskId) ? first : taskId;
}

function newStage(
  { newStages }: PlatformState,
  { reported: { stage } }: PullRequestReceipt,
  key: PullRequestKey,
): Stage | undefined {
  return stage && newStages.has(stageText({ ...key, stage: stage.key })) ? stage : undefined;
}

function publish({ receipt }: PullRequestReceipt, pullRequest: PullRequest, stage: Stage): Effect {
  const { integrationRef, repository, number } = pullRequest;
  const data = stageData(stage, pullRequest);
  const event = { type: stage.event, at: receipt.receivedAt, data, facts: null } as NewEvent;
  return { kind: 'publish', stage: { integrationRef, repository, number, stage: stage.key }, event };
}
