export { applyInboundEvents, giveUpInboundEvent } from './applying/apply-inbound-events.ts';
export { createPlatformCalling, mostPlatformCalls } from './calling/platform-calling.ts';
