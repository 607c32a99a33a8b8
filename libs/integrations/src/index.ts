export { applyInboundEvents, giveUpInboundEvent } from './applying/apply-inbound-events.ts';
export { answerByReplies } from './reporting/answer-by-replies.ts';
export { reportToPlatform } from './reporting/report-to-platform.ts';
export { wantPullRequests } from './reporting/want-pull-requests.ts';
export { createPlatformCalling, mostPlatformCalls } from './calling/platform-calling.ts';
export { countWaitingCalls, sweepOldCalls } from './calls/platform-call.sweeper.ts';
export { createPlatformApi } from './platform-api/platform-client.ts';
export { createSourceHostApi, sourceHostOf } from './platform-api/source-host-client.ts';
export { cancelReconcile } from './reconciles/cancel-reconcile.ts';
export { createReconcile } from './reconciles/create-reconcile.ts';
export { getReconcile } from './reconciles/get-reconcile.ts';
export { changeIntegration } from './integrations/change-integration.ts';
export { createIntegration } from './integrations/create-integration.ts';
export { deleteIntegration } from './integrations/delete-integration.ts';
export { inboundPath } from './integrations/inbound-path.ts';
export { getIntegration } from './integrations/get-integration.ts';
export { findIntegrationNames } from './integrations/integration.read-model.ts';
export { rotateIntegration } from './integrations/rotate-integration.ts';
export { sweepSilence } from './integrations/silence.sweeper.ts';
export { listIntegrations } from './integrations/list-integrations.ts';
export { getInboundEvent } from './inbound/get-inbound-event.ts';
export { listInboundEvents } from './inbound/list-inbound-events.ts';
export { cancelInboundReplay } from './replays/cancel-inbound-replay.ts';
export { createInboundReplay, previewInboundReplay } from './replays/create-inbound-replay.ts';
export { getInboundReplay } from './replays/get-inbound-replay.ts';
export { replayInboundEvent } from './replays/replay-inbound-event.ts';
export { sweepInboundReplay } from './replays/inbound-replay.sweeper.ts';
export { sweepInboundBodies } from './inbound/inbound-body.sweeper.ts';
export { readReceiptSizes } from './inbound/inbound-event.store.ts';
export { admitPlatformEvent, receivePlatformEvent } from './receiving/receive-platform-event.ts';
export { admitSourceHostEvent, receiveSourceHostEvent } from './receiving/receive-source-host-event.ts';
export { testIntegration } from './receiving/test-integration.ts';
export { createReceiver, type InboundRequest, type Receiver, type ReceiptOutcome } from './receiving/receiver.ts';
export { listChatMessages } from './chat/messages/list-chat-messages.ts';
export { sealedChatMessages } from './chat/messages/chat-message.store.ts';
export { sealedIntegrations } from './integrations/integration-secret.ts';
export { queueChatMessages } from './chat/messages/queue-chat-messages.ts';
export { followQuestions } from './chat/messages/follow-questions.ts';
export { expireChatMessages, removeOldChatMessages, removeOldClicks } from './chat/posting/chat-channel.sweeper.ts';
export { createChatPoster } from './chat/posting/chat-poster.ts';
export { type ChatPosting, postNext } from './chat/posting/post-next.ts';
export { type ChatTesting, createChatTesting } from './chat/posting/test-chat.ts';
export type { ChatRefusal } from './chat/clicks/chat-request-signature.ts';
export {
  admitChatRequest,
  type ChatReceiver,
  createChatReceiver,
  receiveChatRequest,
} from './chat/clicks/receive-chat-request.ts';
export type { VetUrl } from './integrations/url-rules.ts';
export { sweepOldReconciles } from './reconciles/reconcile.sweeper.ts';
export { sweepOldTombstones } from './platform/platform-object.sweeper.ts';
export { sweepOldPullRequests } from './source-host/pull-request.sweeper.ts';
export { sweepOldStages } from './source-host/pull-request-stage.sweeper.ts';
