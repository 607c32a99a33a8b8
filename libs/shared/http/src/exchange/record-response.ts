import type { Principal } from '@eas/contracts';
import type { Request, Response } from 'express';
import type { HttpDeps } from './http-deps.ts';

type Ended = {
  request: Request;
  response: Response;
  /** The pattern, never the path: a query or an id must not be in a log or a metric's label. */
  route: string;
  requestId: string;
  remoteAddress: string;
  principal?: Principal | undefined;
  startedMs: number;
  /** Of a stream: metrics counted it when it opened. */
  isStream?: boolean;
};

/** Reports to metrics and log how a request ended, once its connection has sent everything. */
export function recordResponse({ logger, onResponse }: Pick<HttpDeps, 'logger' | 'onResponse'>, ended: Ended): void {
  const { request, response, route, requestId, remoteAddress, principal, startedMs, isStream = false } = ended;
  const durationMs = performance.now() - startedMs;
  const seen = { method: request.method, route, status: response.statusCode };
  if (!isStream) onResponse?.({ ...seen, durationMs });
  const fields = {
    ...seen,
    ms: Math.round(durationMs * 10) / 10,
    request_id: requestId,
    remote_address: remoteAddress,
    tenant: principal?.tenantId,
    credential: principal?.credentialId,
  };
  logger.info(fields, response.writableFinished || isStream ? 'request completed' : 'request aborted');
}
