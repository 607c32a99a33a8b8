import type { Principal } from '@eas/contracts';
import type { Request, Response } from 'express';
import type { AccessLog } from './access-log.ts';
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
  /** What its connection had sent before. */
  sentBefore: number;
  /** Of a stream: metrics counted it when it opened. */
  isStream?: boolean;
  /** Responds late on purpose. */
  canWait?: boolean;
  isLogged?: boolean;
};

type Recorders = Pick<HttpDeps, 'onResponse'> & { accessLog: AccessLog };

/** Reports to metrics and log how a request ended, once its connection has sent everything. */
export function recordResponse({ accessLog, onResponse }: Recorders, ended: Ended): void {
  const { request, response, route, requestId, remoteAddress, principal, startedMs, isStream = false } = ended;
  const durationMs = performance.now() - startedMs;
  const seen = { method: request.method, route, status: response.statusCode };
  if (!isStream) onResponse?.({ ...seen, durationMs });
  if (ended.isLogged === false) return;
  accessLog({
    ...seen,
    durationMs,
    bytes: request.socket.bytesWritten - ended.sentBefore,
    requestId,
    remoteAddress,
    principal,
    isSent: response.writableFinished || isStream,
    canWait: isStream || ended.canWait === true,
  });
}
