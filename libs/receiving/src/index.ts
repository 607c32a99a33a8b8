export { digest } from './receipts/digest.ts';
export { getInboundEvent } from './receipts/get-inbound-event.ts';
export { sweepInboundBodies } from './receipts/inbound-body.sweeper.ts';
export {
  readReceiptSizes,
  type Settled,
  type Settlement,
  settleReceipts,
  takeWaitingReceipts,
  type WaitingReceipt,
} from './receipts/inbound-event.store.ts';
export { type Applied, unsignedRef } from './receipts/inbound-event.ts';
export { listInboundEvents } from './receipts/list-inbound-events.ts';
export { receiptHistory } from './receipts/receipt-history.ts';
export { reasonOf } from './receipts/receipt.ts';
export { lockReceipts } from './receipts/receive-again.store.ts';
export { receiveAgain } from './receipts/receive-again.ts';
export { cancelInboundReplay } from './replays/cancel-inbound-replay.ts';
export { createInboundReplay, previewInboundReplay } from './replays/create-inbound-replay.ts';
export { getInboundReplay } from './replays/get-inbound-replay.ts';
export { nextInboundReplayAt, sweepInboundReplay } from './replays/inbound-replay.sweeper.ts';
export { replayInboundEvent } from './replays/replay-inbound-event.ts';
export { findOfAddress, findOfChat } from './verifying/candidate.read-model.ts';
export { type Candidate, type Candidates, createCandidates } from './verifying/candidates.ts';
export { payloadOf } from './verifying/form-payload.ts';
export { parseInboundJson } from './verifying/inbound-json.ts';
export { admitInboundEvent, receiveInboundEvent } from './verifying/receive-inbound-event.ts';
export {
  createReceiver,
  headerOf,
  type InboundRequest,
  type ReceiptOutcome,
  type Receiver,
} from './verifying/receiver.ts';
export { findSigner, signingKey } from './verifying/signature.ts';
export type { Source } from './verifying/source.ts';
export { testIntegration } from './verifying/test-integration.ts';
export { type LookUp, type Sender, verifySender } from './verifying/verify-sender.ts';
