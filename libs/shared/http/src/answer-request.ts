import type { Principal } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import type { Request, Response } from 'express';
import { checkAnswer } from './check-answer.ts';
import type { DoorDeps } from './door-deps.ts';
import { errorAnswer, type ErrorStyle } from './error-answer.ts';
import { answerOnce, idempotencyKeyOf } from './idempotency/idempotency.ts';
import { parseJsonBody } from './reading/json-body.ts';
import { type LimitState, rateHeaders, rateLimited } from './limits/rate-limit.ts';
import { ClientGone, maxReceiverBodyBytes, maxRestBodyBytes, readBody, requireJson } from './reading/read-body.ts';
import { requestIdOf } from './request-id.ts';
import type { Answer, Route } from './route.ts';
import type { Found, RouteTable } from './route-table.ts';

export type Door = DoorDeps & { table: RouteTable; security: Record<string, string> };

/** One request on its way through the door. */
type Exchange = {
  request: Request;
  response: Response;
  requestId: string;
  path: string;
  query: string;
  route?: Route;
  principal?: Principal;
  limit?: LimitState;
  style: ErrorStyle;
  abort: AbortController;
  onUnsent?: (() => Promise<void>) | undefined;
};

/** Answers one request. The order of checks is part of the interface: a later check never answers for an earlier one. */
export async function answerRequest(door: Door, request: Request, response: Response): Promise<void> {
  const startedMs = performance.now();
  const exchange = openExchange(request, response);
  const { requestId, abort } = exchange;
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
    logEnd(door, exchange, performance.now() - startedMs);
  });
  let answer: Answer;
  try {
    answer = await passChecks(door, exchange);
  } catch (error) {
    if (error instanceof ClientGone) return;
    answer = errorAnswer(error, exchange.style, requestId);
    if (answer.status >= 500) door.logger.error({ err: error, request_id: requestId }, 'request failed');
  }
  send(door, exchange, answer);
}

function openExchange(request: Request, response: Response): Exchange {
  const { url, headers } = request;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return {
    request,
    response,
    requestId: requestIdOf(headers['x-request-id']),
    path,
    query: at < 0 ? '' : url.slice(at + 1),
    style: path === '/webhook' || path.startsWith('/webhook/') ? 'receiver' : 'rest',
    abort: new AbortController(),
  };
}

async function passChecks(door: Door, exchange: Exchange): Promise<Answer> {
  const { route, values } = findRoute(door.table, exchange);
  exchange.route = route;
  door.logger.debug({ method: route.method, route: route.path, request_id: exchange.requestId }, 'request started');
  if (route.scopes.length > 0) await admit(door, exchange, route);
  const rawBody = await takeBody(door, exchange, route);
  const facts = {
    headers: exchange.request.headers,
    method: exchange.request.method,
    path: exchange.path,
    requestId: exchange.requestId,
    remoteAddress: remoteAddressOf(door, exchange.request),
    rawBody,
    query: route.readQuery(exchange.query),
    body: route.readBody?.(parseJsonBody(rawBody)),
    params: readParams(route, values),
  };
  const answer = await runHandler(door, exchange, route, facts);
  if (door.checksAnswers) checkAnswer(route, answer);
  exchange.onUnsent = answer.onUnsent;
  return answer;
}

function findRoute(table: RouteTable, { request, path }: Exchange): Found {
  const found = table.find(request.method, path);
  if (!found) {
    const message =
      path.startsWith('/v2/') || path === '/v2' ? 'There is no /v2; the current version is /v1.' : undefined;
    throw new AppError('not_found', { message: message ?? 'There is nothing at this path.' });
  }
  if ('route' in found) return found;
  const message = `${request.method} is not a method of this path.`;
  throw new AppError('invalid_request', { status: 405, message, headers: { Allow: found.allow } });
}

/** 401, then 429, then 403. */
async function admit(door: Door, exchange: Exchange, route: Route): Promise<void> {
  const { request } = exchange;
  const principal = await door.authenticate(request.headers, remoteAddressOf(door, request));
  exchange.principal = principal;
  if (door.limit) {
    exchange.limit = await door.limit(principal, route.bucket);
    if (!exchange.limit.isAllowed) throw rateLimited(exchange.limit);
  }
  if (route.scopes.some((scope) => principal.scopes.includes(scope))) return;
  throw new AppError('forbidden', { message: `The scope ${route.scopes.join(' or ')} is required.` });
}

function remoteAddressOf(door: Door, request: Request): string {
  return (door.trustProxy?.length ? request.ip : request.socket.remoteAddress) ?? '';
}

const noBody = Buffer.alloc(0);

async function takeBody(door: Door, { request }: Exchange, route: Route): Promise<Buffer> {
  if (route.access !== 'public' && 'signature' in route.access)
    return readBody(request, maxReceiverBodyBytes, door.stallMs);
  if (!route.readBody) return noBody;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return noBody;
  // A declared size goes before the type; nothing is read of a body of another type.
  if (Number(length ?? 0) <= maxRestBodyBytes) requireJson(request);
  return readBody(request, maxRestBodyBytes, door.stallMs);
}

function readParams(route: Route, values: readonly string[]): Record<string, unknown> {
  if (!route.params) return {};
  const params: Record<string, string> = {};
  Object.keys(route.params.shape).forEach((name, index) => (params[name] = decodeSegment(values[index] ?? '')));
  const parsed = route.params.safeParse(params);
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}

/** A malformed id is an unknown one. */
function decodeSegment(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Falls through to the same answer.
  }
  throw new AppError('not_found');
}

type Facts = { headers: Request['headers']; path: string; rawBody: Buffer };

async function runHandler(door: Door, exchange: Exchange, route: Route, facts: Facts): Promise<Answer> {
  const { principal, abort, requestId } = exchange;
  const handler = route.handler as (ctx: unknown, request: unknown) => Promise<Answer>;
  const logger = requestLogger(door.logger, requestId);
  if (!principal) return handler({ logger, signal: abort.signal }, facts);
  const { tenantId, actor } = principal;
  const ctx = door.makeContext({ tenantId, actor, signal: abort.signal, logger });
  const request = { ...facts, principal };
  const key = route.isIdempotent ? idempotencyKeyOf(facts.headers) : undefined;
  if (key === undefined) return handler(ctx, request);
  const call = { credentialId: principal.credentialId, route: `${route.method} ${facts.path}`, key };
  return answerOnce(ctx, call, { rawBody: facts.rawBody, requestId }, (inner) => handler(inner, request));
}

/** The same logger with the request's id in every line. */
function requestLogger(logger: Logger, requestId: string): Logger {
  return {
    error: (fields, message) => logger.error({ request_id: requestId, ...fields }, message),
    warn: (fields, message) => logger.warn({ request_id: requestId, ...fields }, message),
    info: (fields, message) => logger.info({ request_id: requestId, ...fields }, message),
    debug: (fields, message) => logger.debug({ request_id: requestId, ...fields }, message),
  };
}

function send(door: Door, exchange: Exchange, { status, body, headers }: Answer): void {
  const { response, requestId, limit, route } = exchange;
  if (response.headersSent || response.destroyed) return;
  const all: Record<string, string | number> = { ...door.security, 'x-request-id': requestId };
  if (limit) Object.assign(all, rateHeaders(limit));
  if (exchange.principal) all['cache-control'] = 'no-store';
  if (route) Object.assign(all, route.headers);
  Object.assign(all, headers);
  if (headers?.['Location']?.startsWith('/')) all['Location'] = `${door.baseUrl ?? ''}${headers['Location']}`;
  if (body === undefined) {
    response.writeHead(status, all).end();
    return;
  }
  const text = JSON.stringify(body);
  all['content-type'] = 'application/json; charset=utf-8';
  all['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, all).end(text);
}

function logEnd(door: Door, exchange: Exchange, durationMs: number): void {
  const { request, response, route, requestId, principal, onUnsent } = exchange;
  const isSent = response.writableFinished;
  if (!isSent && onUnsent)
    onUnsent().catch((error: unknown) =>
      door.logger.error({ err: error, request_id: requestId }, 'unsent answer kept'),
    );
  const seen = { method: request.method, route: route?.path ?? 'unmatched', status: response.statusCode };
  door.onAnswered?.({ ...seen, durationMs });
  const ms = Math.round(durationMs * 10) / 10;
  const fields = {
    ...seen,
    ms,
    request_id: requestId,
    tenant: principal?.tenantId,
    credential: principal?.credentialId,
  };
  door.logger.info(fields, isSent ? 'request answered' : 'request ended without its answer');
}
