import { createEgress, type Egress, type EgressOptions } from '@eas/egress';
import { hangMs } from './eventually.ts';

const patience = { deadlineMs: hangMs, connectTimeoutMs: hangMs, headersTimeoutMs: hangMs, bodyTimeoutMs: hangMs };

/**
 * The real way out, open to http on this machine and nothing else: for tests against servers of their own. Patient in all
 * phases but those for which the test says how long they may take.
 */
export function createLoopbackEgress(options: Partial<EgressOptions> = {}): Egress {
  return createEgress({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], ...patience, ...options });
}
