export { type ApiParts, createApiCaller } from './api/api-caller.ts';
export type { PlatformFailure, PlatformResponse } from './api/platform-response.ts';
export {
  askWhetherMergeable,
  type OwnComment,
  readOwnComments,
  wantCalls,
  wantPullRequests,
} from './calls/platform-call.store.ts';
export { countWaitingCalls, sweepOldCalls, type TakenCall } from './calls/platform-call.sweeper.ts';
export {
  type CallKey,
  type FailedCheck,
  markIn,
  type NewCall,
  type PullRequestStep,
  type WantedChecks,
  type WantedPullRequest,
  type WantedReview,
  withMark,
} from './calls/platform-call.ts';
export { createPlatformCalling, mostPlatformCalls } from './making/platform-calling.ts';
export { type CallOutcome, type OpenAccess, restOf, type Targets } from './making/target.ts';
