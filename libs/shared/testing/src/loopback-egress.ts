import { createEgress, type Egress, type EgressOptions } from '@eas/egress';
import { hangMs } from './eventually.ts';

const patience = { deadlineMs: hangMs, connectTimeoutMs: hangMs, headersTimeoutMs: hangMs, bodyTimeoutMs: hangMs };

/**
 * The real egress, open only to http on this machine, for tests against their own servers. It has long limits in all
 * phases except those that the test sets.
 */
export function createLoopbackEgress(options: Partial<EgressOptions> = {}): Egress {
  return createEgress({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], ...patience, ...options });
}
