export { type ApiParts, createApiCaller } from './api/api-caller.ts';
export type { PlatformFailure, PlatformResponse } from './api/platform-response.ts';
export {
  askWhetherMergeable,
  type OwnComment,
  readOwnComments,
  wantCalls,
  wantPullRequests,
} from './calls/platform-call.store.ts';
export { platformCalls } from './calls/call-tables.ts';
export {
  type CallKey,
  type FailedCheck,
  markIn,
  type NewCall,
  type PullRequestStep,
  type TakenCall,
  type WantedChecks,
  type WantedPullRequest,
  type WantedReview,
  withMark,
} from './calls/platform-call.ts';
export { callKind, mostPlatformCalls } from './making/call-kind.ts';
export { type CallOutcome, type OpenAccess, restOf, type Targets } from './making/target.ts';
