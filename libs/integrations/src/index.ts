export { applyInboundEvents, giveUpInboundEvent } from './apply-inbound-events.ts';
export { changeIntegration } from './change-integration.ts';
export { createIntegration } from './create-integration.ts';
export { deleteIntegration } from './delete-integration.ts';
export { inboundPath } from './inbound-path.ts';
export { getIntegration } from './get-integration.ts';
export { listIntegrations } from './list-integrations.ts';
export { readReceiptSizes } from './inbound/inbound-event.store.ts';
export { admitPlatformEvent, receivePlatformEvent } from './receiving/receive-platform-event.ts';
export { admitSourceHostEvent, receiveSourceHostEvent } from './receiving/receive-source-host-event.ts';
export {
  createReceiver,
  type InboundRequest,
  type Receiver,
  type ReceiverParts,
  type ReceiptOutcome,
} from './receiving/receiver.ts';
