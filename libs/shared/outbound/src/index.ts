export { doublingWaits, type RetryPolicy, retryWaitMs } from './retry.ts';
export { createTestShares, type TestShares } from './test-shares.ts';
export {
  isCutOff,
  notSent,
  type OutboundHeaders,
  type OutboundPhases,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundResult,
  type Send,
  slowMs,
  userAgent,
} from './transport.ts';
