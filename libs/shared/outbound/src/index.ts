export { type BatchSlots, createBatchSlots, enterBatch } from './batch-slots.ts';
export { createDestinationPaces } from './destination-pace.ts';
export { doublingWaits, retryOrFail, type RetryPolicy } from './retry.ts';
export { type Attempt, sendClaimed, type Sending } from './send-claimed.ts';
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
