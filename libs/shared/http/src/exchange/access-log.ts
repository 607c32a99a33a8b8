import type { Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';

/**
 * `errors`: responses with status 5xx, those that took a second or longer, and those that were not sent to their end.
 * `sample`: the share of all others that `all` logs, from 0 to 1.
 */
export type AccessLogOptions = {
  logger: Pick<Logger, 'info'>;
  lines: 'off' | 'errors' | 'all';
  sample: number;
  random?: () => number;
};

/** `bytes`: what was sent, with the headers; of pipelined requests some may count for the other. */
export type EndedResponse = {
  method: string;
  /** The pattern, never the path. */
  route: string;
  status: number;
  durationMs: number;
  bytes: number;
  requestId: string;
  remoteAddress: string;
  principal?: Principal | undefined;
  isSent: boolean;
  canWait: boolean;
};

export type AccessLog = (ended: EndedResponse) => void;

/** As in the objective for slow responses (docs/operate/observe.md). */
const slowMs = 1_000;

/** Writes a line for each response that the options name. */
export function createAccessLog({ logger, lines, sample, random = Math.random }: AccessLogOptions): AccessLog {
  if (lines === 'off') return () => {};
  const share = lines === 'all' ? sample : 0;
  return (ended) => {
    const isGood = isExpected(ended);
    if (isGood && (share === 0 || (share < 1 && random() >= share))) return;
    const fields = fieldsOf(ended);
    logger.info(
      isGood && share < 1 ? { ...fields, sample: share } : fields,
      ended.isSent ? 'request completed' : 'request aborted',
    );
  };
}

function isExpected({ status, durationMs, isSent, canWait }: EndedResponse): boolean {
  return status < 500 && (canWait || (isSent && durationMs < slowMs));
}

function fieldsOf(ended: EndedResponse): Record<string, unknown> {
  const { method, route, status, durationMs, bytes, requestId, remoteAddress, principal } = ended;
  return {
    method,
    route,
    status,
    ms: Math.round(durationMs * 10) / 10,
    bytes,
    request_id: requestId,
    remote_address: remoteAddress,
    tenant: principal?.tenantId,
    credential: principal?.credentialId,
  };
}
