export { isInDiff } from './api/changed-file.ts';
export type { CheckRun } from './api/source-host-checks.ts';
export {
  createSourceHostApi,
  type OpenSourceHost,
  type SourceHostClient,
  sourceHostOf,
} from './api/source-host-client.ts';
export type { SourceHostPullRequest } from './api/source-host-pull-request.ts';
export { checksText, checkText, plain } from './pull-requests/checks-text.ts';
export { type CheckedCommit, noPullRequest, receiveEarlyChecks } from './pull-requests/early-checks.store.ts';
export { type Found, isRed, isWorkedOn, newFindings } from './pull-requests/finding.ts';
export type { ReportedPullRequest } from './pull-requests/followed.ts';
export { type MovedBase, readOwnInto } from './pull-requests/own-pull-request.read-model.ts';
export { commitId, maxChecked } from './pull-requests/pull-request-event.ts';
export { sweepOldStages } from './pull-requests/pull-request-stage.sweeper.ts';
export { canPublish, isReplacedReview, type Stage, stageData, stageEntry } from './pull-requests/pull-request-stage.ts';
export { changesOf } from './pull-requests/pull-request-text.ts';
export {
  type Commit,
  findByCommit,
  insertStages,
  type KeptStage,
  readPullRequests,
  readStages,
  savePullRequests,
  type StageKey,
  stageText,
} from './pull-requests/pull-request.store.ts';
export { sweepOldPullRequests } from './pull-requests/pull-request.sweeper.ts';
export {
  newerOf,
  newestOf,
  numberedId,
  type PullRequest,
  type PullRequestKey,
  withResult,
} from './pull-requests/pull-request.ts';
export { issueStatusMap } from './pull-requests/reported-issue.ts';
export { reviewCallsOf } from './pull-requests/review-calls.ts';
export { reviewMarkIn, withComments } from './pull-requests/review-text.ts';
export { readSourceHostEvent } from './pull-requests/source-host-event.ts';
export { sourceHostSource } from './source-host-source.ts';
export { wantPullRequests } from './want-pull-requests.ts';
