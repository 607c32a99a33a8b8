export { createEgress, type Egress, egressDeadlineMs, type EgressOptions, type EgressResult } from './egress.ts';
export { type FailureReason } from './failure.ts';
export { type ResolveName } from './name-resolver.ts';
export { vetGitUrl } from './vet-git-url.ts';
export { vetUrl } from './vet-url.ts';
