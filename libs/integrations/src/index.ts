export { applyInboundEvents } from './apply-inbound-events.ts';
export { createIntegration } from './create-integration.ts';
export { listIntegrations } from './list-integrations.ts';
export { receivePlatformEvent } from './receiving/receive-platform-event.ts';
export { receiveSourceHostEvent } from './receiving/receive-source-host-event.ts';
export {
  createReceiver,
  type InboundRequest,
  type Receiver,
  type ReceiverParts,
  type ReceiptOutcome,
} from './receiving/receiver.ts';
