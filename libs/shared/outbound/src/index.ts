export { doublingWaits, type RetryPolicy, retryWaitMs } from './retry.ts';
export { createTestShares, type TestShares } from './test-shares.ts';
export type {
  OutboundHeaders,
  OutboundPhases,
  OutboundRequest,
  OutboundResponse,
  OutboundResult,
  Send,
} from './transport.ts';
