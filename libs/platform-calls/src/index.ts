export { type ApiParts, createApiCaller } from './api/api-caller.ts';
export type { PlatformFailure, PlatformResponse } from './api/platform-response.ts';
export {
  askWhetherMergeable,
  callAgain,
  finishCall,
  type OwnComment,
  readOwnComments,
  releaseApi,
  wantCalls,
  wantPullRequests,
} from './calls/platform-call.store.ts';
export { countWaitingCalls, sweepOldCalls, takeCall, type TakenCall } from './calls/platform-call.sweeper.ts';
export {
  type CallKey,
  type CallPayload,
  type CallResult,
  type FailedCheck,
  markIn,
  type NewCall,
  type PullRequestStep,
  type WantedChecks,
  type WantedPullRequest,
  type WantedReview,
  withMark,
} from './calls/platform-call.ts';
