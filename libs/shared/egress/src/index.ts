export { createAddressFilter, type EgressPolicy } from './address-policy.ts';
export {
  createEgress,
  type Egress,
  egressDeadlineMs,
  type EgressOptions,
  type EgressRequest,
  type EgressResult,
  maxResponseBytes,
} from './egress.ts';
export { type FailureReason } from './failure.ts';
export { type ResolveName } from './name-resolver.ts';
export { type EgressPhases } from './phases.ts';
export { maxUrlLength, type UrlRefusal, type VettedUrl, vetUrl } from './vet-url.ts';
