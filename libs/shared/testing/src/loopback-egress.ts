import { createEgress, type Egress, type EgressOptions } from '@eas/egress';

/** The real way out, open to http on this machine and nothing else: for tests against servers of their own. */
export function createLoopbackEgress(options: Partial<EgressOptions> = {}): Egress {
  return createEgress({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], ...options });
}
