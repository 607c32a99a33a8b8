import type { Span } from '@eas/core';
import type { Principal } from '@eas/contracts';
import type { Request, Response } from 'express';
import type { AccessLog } from './access-log.ts';
import type { HttpDeps } from './http-deps.ts';
import type { OnCut } from '../intake/cut-error.ts';
import type { Intake, WatchedBody } from '../intake/intake.ts';
import type { ErrorStyle } from '../routes/error-response.ts';
import type { LimitState } from '../limits/call-budget.ts';
import { arrivedMsOf } from '../limits/take-turns.ts';
import { takeProvenCaller } from '../pass-through/gateway-proof.ts';
import { remoteAddressOf } from '../security/remote-address.ts';
import { requestIdOf } from '../reading/request-id.ts';
import type { Route } from '../routes/route.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { ResponseHeaders } from '../security/security-headers.ts';

export type HttpServer = HttpDeps & {
  accessLog: AccessLog;
  table: RouteTable;
  security: ResponseHeaders;
  pageSecurity: ResponseHeaders;
  intake: Intake;
  /** Path of the base address, without a final slash: empty unless clients call below one. */
  basePath: string;
};

export type Exchange = {
  request: Request;
  response: Response;
  requestId: string;
  path: string;
  query: string;
  remoteAddress: string;
  route?: Route;
  principal?: Principal;
  limit?: LimitState;
  style: ErrorStyle;
  abort: AbortController;
  onUnsent?: (() => Promise<void>) | undefined;
  startedMs: number;
  /** What its connection had sent before, in bytes. */
  sentBefore: number;
  /** Duration of the statements of its reads. */
  databaseMs: number;
  span?: Span | undefined;
  /** Of a stream: the number after which it begins, and whether it has begun. */
  position?: number;
  isStreaming?: boolean;
};

export function openExchange(server: HttpServer, request: Request, response: Response): Exchange {
  const { headers } = request;
  const url = originForm(request.url);
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return {
    request,
    response,
    requestId: requestIdOf(headers['x-request-id']),
    path,
    query: at < 0 ? '' : url.slice(at + 1),
    remoteAddress: callerOf(server, request),
    style: styleOf(path),
    abort: new AbortController(),
    startedMs: arrivedMsOf(response),
    sentBefore: request.socket.bytesWritten,
    databaseMs: 0,
  };
}

/** Paths with an error body of their own. */
function styleOf(path: string): ErrorStyle {
  if (path === '/webhook' || path.startsWith('/webhook/')) return 'receiver';
  return path.startsWith('/oauth/') ? 'oauth' : 'rest';
}

function callerOf({ gatewaySecrets = [], trustProxy = [] }: HttpServer, request: Request): string {
  const proven = takeProvenCaller(request.headers, gatewaySecrets);
  return proven ?? (trustProxy.length > 0 ? remoteAddressOf(request) : (request.socket.remoteAddress ?? ''));
}

/** Watches the request's body; its bytes count until the response is sent. */
export function watchBody(
  { intake }: HttpServer,
  { request, response, remoteAddress }: Exchange,
  onCut?: OnCut,
): WatchedBody {
  const watched = intake.watch(request, remoteAddress, onCut);
  response.once('close', watched.release);
  return watched;
}

/** The target without scheme and host, which proxies may send (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?]*/i, '');
  return rest.startsWith('?') ? `/${rest}` : rest;
}
