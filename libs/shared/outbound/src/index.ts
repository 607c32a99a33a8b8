export { doublingWaits, retryOrFail, type RetryPolicy, retryWaitMs } from './retry.ts';
export { sendNext } from './send-next.ts';
export { createSender } from './sender.ts';
export type { Claimed, DestinationTable, MessageTable, OnAttempt, Sent, TargetKind, Verdict } from './target-kind.ts';
export { claimNext, settleClaimed, wakeDestinations } from './target.store.ts';
export { countWaiting, expireMessages, findDue, removeOldMessages } from './target.sweeper.ts';
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
