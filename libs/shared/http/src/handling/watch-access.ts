import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { HttpServer, Exchange } from '../exchange/exchange.ts';
import type { StreamSource } from '../streams/streams.ts';

/** Calls `end` once when the caller loses access to its stream or its rights change, so that it reconnects. */
export function watchAccess(
  server: Pick<HttpServer, 'authenticate' | 'logger'>,
  { request, remoteAddress, requestId, principal }: Exchange,
  { everyMs, recheck, end }: { everyMs: number; recheck: StreamSource['recheck']; end: () => void },
): () => void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      const now = await server.authenticate(request.headers, remoteAddress);
      if (!principal || rightsOf(now) !== rightsOf(principal)) return end();
      await recheck?.();
    } catch (error) {
      if (isRefusal(error)) return end();
      // The store does not respond: admitted callers stay until it does.
      server.logger.warn({ err: error, request_id: requestId }, 'access check of event stream failed');
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => void check(), everyMs);
  return () => clearInterval(timer);
}

const rightsOf = ({ tenantId, credentialId, actor, scopes, tenant }: Principal) =>
  [tenantId, credentialId, actor.id, actor.agentId, tenant?.suspendedReason, ...scopes].join(' ');

const isRefusal = (error: unknown) => error instanceof AppError && error.code !== 'server_error';
