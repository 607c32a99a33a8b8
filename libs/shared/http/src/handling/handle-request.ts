import { AppError, type Logger } from '@eas/core';
import type { StatementWatch } from '@eas/db';
import type { Request, Response } from 'express';
import { admit, admitAgain, identify, toSignIn } from './admission.ts';
import type { RouteResponse } from '../routes/responses.ts';
import { checkResponse } from './check-response.ts';
import { ifMatchOf, keyOf } from './conditions.ts';
import { respondToError } from '../routes/error-response.ts';
import { type HttpServer, type Exchange, openExchange } from '../exchange/exchange.ts';
import { runOnce } from '../idempotency/idempotency.ts';
import { recordResponse } from '../exchange/record-response.ts';
import { readParams } from '../routes/params.ts';
import { ClientGone } from '../intake/read-body.ts';
import { parseBody, takeBody } from './take-body.ts';
import { isReceiver, type RequestFacts, type Route } from '../routes/route.ts';
import type { Found, RouteTable } from '../routes/route-table.ts';
import { requireOwnOrigin } from '../security/own-origin.ts';
import { charge, send } from './send.ts';
import { beginSpan, endSpan, inSpan } from './trace-exchange.ts';
import { positionOf, readLastEventId } from '../reading/last-event-id.ts';

/** Handles one request. The order of checks is part of the interface: a later check never comes before an earlier one. */
export async function handleRequest(server: HttpServer, request: Request, response: Response): Promise<void> {
  const exchange = openExchange(server, request, response);
  beginSpan(exchange);
  return inSpan(exchange, () => handleExchange(server, exchange));
}

async function handleExchange(server: HttpServer, exchange: Exchange): Promise<void> {
  const { response, requestId, abort } = exchange;
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
    charge(server, exchange, { databaseMs: exchange.databaseMs });
    inSpan(exchange, () => logEnd(server, exchange));
    endSpan(exchange);
  });
  let result: RouteResponse;
  try {
    result = await passChecks(server, exchange);
  } catch (error) {
    if (error instanceof ClientGone) return;
    if (error instanceof AppError) charge(server, exchange, { bytes: error.readBytes });
    // Its work was aborted.
    if (abort.signal.aborted) return;
    result = challenged(exchange, respondToError(error, exchange.style, requestId, server.renderErrorPage));
    if (result.status >= 500) server.logger.error({ err: error, request_id: requestId }, 'request failed');
  }
  send(server, exchange, result);
}

/** A response to a missing credential begins with the address where the resource says who gives one (RFC 9728, 5.1). */
function challenged({ route }: Exchange, result: RouteResponse): RouteResponse {
  if (result.status !== 401 || route?.resourceMetadata === undefined) return result;
  const given = String(result.headers?.['WWW-Authenticate']);
  const error = /error="[a-z_]+"/.exec(given)?.[0];
  const parts = ['realm="api"', ...(error ? [error] : []), `resource_metadata="${route.resourceMetadata}"`];
  return {
    ...result,
    headers: { ...result.headers, 'WWW-Authenticate': `Bearer ${parts.join(', ')}, ApiKey realm="api"` },
  };
}

async function passChecks(server: HttpServer, exchange: Exchange): Promise<RouteResponse> {
  const { request, response, requestId } = exchange;
  requireHost(request);
  const { route, values } = findRoute(server.table, exchange);
  exchange.route = route;
  if (route.isPage) exchange.style = 'page';
  if (route.resourceMetadata !== undefined) exchange.style = 'json-rpc';
  server.logger.debug({ method: route.method, route: route.path, request_id: requestId }, 'request started');
  if (route.hasCaller) {
    const principal = await identify(server, exchange, route);
    if (!principal) return toSignIn(server, exchange);
    exchange.principal = principal;
    await admit(server, exchange, route, principal);
  }
  if (route.readForm || isOpenChange(route)) requireOwnOrigin(request, server.baseUrl);
  if (isReceiver(route.access) && route.access.signature !== true)
    route.access.signature({ headers: request.headers, remoteAddress: exchange.remoteAddress });
  const rawBody = await takeBody(server, exchange, route);
  const facts = {
    headers: request.headers,
    method: request.method,
    path: exchange.path,
    requestId,
    remoteAddress: exchange.remoteAddress,
    rawBody,
    raw: { request, response },
    query: route.readQuery(exchange.query),
    body: parseBody(route, rawBody, exchange.principal),
    params: readParams(route, values),
    ifMatch: ifMatchOf(route, request.headers['if-match']),
    idempotencyKey: keyOf(route, request.headers),
  };
  const lastEventId = route.isStream ? readLastEventId(facts.headers, facts.query) : undefined;
  const result = await runHandler(server, exchange, route, facts);
  if (result.stream) exchange.position = positionOf(result.stream, lastEventId);
  if (server.checksResponses) checkResponse(route, result);
  if (result.onUnsent) await holdUntilAdmitted(server, exchange, route, result.onUnsent);
  return result;
}

/** As HTTP/1.1 asks: Node would refuse with a bare status of its own. */
function requireHost({ httpVersion, headers }: Request): void {
  if (headers.host !== undefined || httpVersion !== '1.1') return;
  throw new AppError('invalid_request', { field: 'Host', constraint: 'required' });
}

/** A response that can be undone may have taken long: it is sent only to a caller that is still admitted. */
async function holdUntilAdmitted(server: HttpServer, exchange: Exchange, route: Route, takeBack: () => Promise<void>) {
  exchange.onUnsent = takeBack;
  if (!route.hasCaller) return;
  try {
    await admitAgain(server, exchange, route);
  } catch (error) {
    exchange.onUnsent = undefined;
    await takeBack();
    throw error;
  }
}

/** What changes something for the caller: signing in, which another site could do in the name of its own user. */
const isOpenChange = ({ access, method }: Route): boolean => access === 'public' && method !== 'GET';

/** A person who follows a link: browsers ask for HTML by name. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false);

function findRoute(table: RouteTable, exchange: Exchange): Found {
  const { request, path } = exchange;
  const found = table.find(request.method, path);
  if (!found) {
    if (['rest', 'oauth'].includes(exchange.style) && isNavigation(request)) exchange.style = 'page';
    const message = path.startsWith('/v2/') || path === '/v2' ? '/v2 does not exist. Use /v1.' : undefined;
    throw new AppError('not_found', { message: message ?? 'This path does not exist.' });
  }
  if ('route' in found) return found;
  const message = `${request.method} is not a method of this path.`;
  throw new AppError('invalid_request', { status: 405, message, headers: { Allow: found.allow } });
}

async function runHandler(
  server: HttpServer,
  exchange: Exchange,
  route: Route,
  facts: RequestFacts,
): Promise<RouteResponse> {
  const { principal, abort, requestId } = exchange;
  const handler = route.handler as (ctx: unknown, request: unknown) => Promise<RouteResponse>;
  const logger = requestLogger(server.logger, requestId);
  if (!principal) return handler({ logger, signal: abort.signal }, facts);
  const { tenantId, credentialId } = principal;
  const via = { credentialId, remoteAddress: exchange.remoteAddress, requestId };
  const actor = { ...principal.actor, via };
  const watch: StatementWatch = { onEnd: (ms) => (exchange.databaseMs += ms) };
  // A changing request is not aborted half-way: its change may have to be undone.
  if (route.method === 'GET') watch.signal = abort.signal;
  const ctx = server.makeContext({
    tenantId,
    actor,
    limits: principal.tenant?.limits,
    signal: abort.signal,
    logger,
    watch,
  });
  const request = { ...facts, principal };
  const { idempotencyKey: key } = facts;
  if (key === undefined || route.isIdempotent === 'by_handler') return handler(ctx, request);
  await (route.prepare as ((ctx: unknown, request: unknown) => Promise<void>) | undefined)?.(ctx, request);
  const call = { credentialId, route: `${route.method} ${facts.path}`, key };
  return runOnce(ctx, call, { rawBody: facts.rawBody, requestId }, (inner) => handler(inner, request));
}

function requestLogger(logger: Logger, requestId: string): Logger {
  return {
    error: (fields, message) => logger.error({ request_id: requestId, ...fields }, message),
    warn: (fields, message) => logger.warn({ request_id: requestId, ...fields }, message),
    info: (fields, message) => logger.info({ request_id: requestId, ...fields }, message),
    debug: (fields, message) => logger.debug({ request_id: requestId, ...fields }, message),
  };
}

function logEnd(server: HttpServer, exchange: Exchange): void {
  const { request, response, route, requestId, remoteAddress, principal, onUnsent } = exchange;
  if (!response.writableFinished && onUnsent)
    onUnsent().catch((error: unknown) =>
      server.logger.error({ err: error, request_id: requestId }, 'cleanup after unsent response failed'),
    );
  recordResponse(server, {
    request,
    response,
    route: route?.path ?? 'unmatched',
    requestId,
    remoteAddress,
    principal,
    startedMs: exchange.startedMs,
    sentBefore: exchange.sentBefore,
    isStream: exchange.isStreaming,
    canWait: route?.canWait,
    isLogged: route?.isLogged,
  });
}
