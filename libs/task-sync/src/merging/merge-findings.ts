import type { Effect } from './effects.ts';
import { mergePatch } from './merge-patch.ts';
import { numberedKey } from './platform-keys.ts';
import { type PlatformState, settingsOf } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import {
  type Found,
  isReplacedReview,
  isWorkedOn,
  type KeptStage,
  newFindings,
  numberedId,
  type PullRequest,
  type Stage,
  stageEntry,
} from '@eas/source-host';

/** What an event does to a pull request. `stages`: those that are new to its task; `earlier`: those from before. */
type Change = {
  before: PullRequest;
  after: PullRequest;
  stages: readonly Stage[];
  earlier: readonly KeptStage[];
};

/** What there is for the task that the pull request is linked to. */
export function mergeFindings(
  state: PlatformState,
  { reported }: Read<'pull request'>,
  { before, after, stages, earlier }: Change,
): Effect[] {
  const { taskId, integrationRef } = after;
  // A comment on a pull request whose task is not in progress is no message.
  const isMessage = isWorkedOn(after);
  const findings = isMessage ? [...newFindings(before, after), ...reviewFindings(stages, earlier)] : [];
  const comments = isMessage ? reported.comments : reported.comments.map(({ finding: _, ...comment }) => comment);
  if (taskId === null || stages.length + comments.length + findings.length === 0) return [];
  const { completesOnMerge } = settingsOf(state, integrationRef);
  const entries = stages.map((stage) => ({
    ...stageEntry(stage, after),
    completesTask: completesOnMerge && stage.event === 'pr.merged',
  }));
  const patch = { taskId, changes: {}, stages: entries, comments, findings };
  return [...checkCalls(state, after, findings), mergePatch(state, numberedKey(after), patch)];
}

/** Of reviews that the same reviewer has not replaced by a newer decision, which may have come before them. */
function reviewFindings(stages: readonly Stage[], earlier: readonly KeptStage[]): Found[] {
  const known = [...earlier.map(({ stage }) => stage), ...stages];
  return stages.flatMap((one) => (known.some((other) => isReplacedReview(one, other)) ? [] : (one.finding ?? [])));
}

/** What failed checks say is to be read from the source host, if its API can be called. */
function checkCalls(
  state: PlatformState,
  { integrationRef: integrationId, repository, number, taskId }: PullRequest,
  findings: readonly Found[],
): Effect[] {
  if (taskId === null || !settingsOf(state, integrationId).isCallable) return [];
  const externalId = numberedId({ repository: repository.toLowerCase(), number });
  return findings.flatMap(({ checks }) => {
    if (!checks) return [];
    const { key, suite, sha } = checks;
    const payload = { taskId, checks: { repository, number, sha, suite } };
    return [{ kind: 'call' as const, call: { integrationId, kind: 'checks' as const, externalId, key, payload } }];
  });
}
