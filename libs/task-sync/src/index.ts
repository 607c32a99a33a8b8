export { applyInboundEvents, giveUpInboundEvent } from './applying/apply-inbound-events.ts';
export { createCallTargets } from './calling/call-targets.ts';
