import type { RequestHandler } from 'express';
import type { AccessLog } from './exchange/access-log.ts';
import type { HttpDeps, Mount } from './exchange/http-deps.ts';
import type { Intake } from './intake/intake.ts';
import { arrivedMsOf } from './limits/take-turns.ts';
import { recordResponse } from './exchange/record-response.ts';
import { hasBody } from './intake/read-body.ts';
import { requestIdOf } from './reading/request-id.ts';
import { remoteAddressOf } from './security/remote-address.ts';
import type { ResponseHeaders } from './security/security-headers.ts';

/**
 * What a mount shares with the routes: headers, the request's id, the watch over slow bodies, log and metrics.
 * Responses that it passes on are recorded at their source.
 */
export function withRouteExtras(
  deps: HttpDeps & { accessLog: AccessLog; intake: Intake },
  { path, handler, routeOf }: Mount,
  security: ResponseHeaders,
): RequestHandler {
  return (request, response, next) => {
    const startedMs = arrivedMsOf(response);
    const sentBefore = request.socket.bytesWritten;
    const requestId = requestIdOf(request.headers['x-request-id']);
    // Later reads of the id get the same one.
    request.headers['x-request-id'] = requestId;
    response.set({ ...security, 'x-request-id': requestId });
    const remoteAddress = remoteAddressOf(request);
    if (hasBody(request)) response.once('close', deps.intake.watch(request, remoteAddress).release);
    const [called = ''] = request.originalUrl.split('?');
    const route = routeOf?.(called) ?? path;
    let isPassedOn = false;
    response.once('close', () => {
      if (!isPassedOn)
        recordResponse(deps, { request, response, route, requestId, remoteAddress, startedMs, sentBefore });
    });
    return handler(request, response, (error?: unknown) => {
      isPassedOn = error === undefined;
      next(error);
    });
  };
}
