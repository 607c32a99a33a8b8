import type { Actor, Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { answerRequest } from './answer-request.ts';
import { errorAnswer } from './error-answer.ts';
import type { LimitState } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import type { Bucket, Route } from './route.ts';
import { createRouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What the door needs of the rest of the process; container.ts supplies it. */
export type DoorDeps = {
  /** Who calls; throws AppError unauthorized. */
  authenticate: (headers: Headers, remoteAddress: string) => Principal | Promise<Principal>;
  makeContext: (caller: { tenantId: string; actor: Actor; signal: AbortSignal; logger: Logger }) => UseCaseContext;
  /** Counts one call. Left out: no limits and no X-RateLimit headers. */
  limit?: (principal: Principal, bucket: Bucket) => LimitState | Promise<LimitState>;
  logger: Logger;
  /** Told about every answer, for metrics. `route` is the pattern; `unmatched` for unknown paths. */
  onAnswered?: (seen: { method: string; route: string; status: number; durationMs: number }) => void;
  /** Proxies (CIDRs) whose X-Forwarded-For is believed; default none. */
  trustProxy?: readonly string[];
  /** For tests: an answer that does not fit its documented schema becomes a 500. */
  checksAnswers?: boolean;
  /** Cuts a body of which nothing came for that long; default 15 s. */
  stallMs?: number;
  /** Handlers of foreign protocols under a path, asked before the routes. */
  mounts?: readonly { path: string; handler: RequestHandler }[];
};

/** Builds the Express app that answers the routes. Throws when two routes contradict, at boot. */
export function mountRoutes(routes: readonly Route[], deps: DoorDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', deps.trustProxy?.length ? [...deps.trustProxy] : false);
  for (const { path, handler } of deps.mounts ?? []) app.use(path, handler);
  const door = { ...deps, table: createRouteTable(routes), security: securityHeaders() };
  app.use((request, response) => answerRequest(door, request, response));
  app.use(answerUnexpected(deps.logger));
  return app;
}

/** Only what a mount or the door itself throws comes here. */
function answerUnexpected(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    logger.error({ err: error, request_id: requestId }, 'request failed');
    if (response.headersSent) return void response.destroy();
    const { status, body } = errorAnswer(undefined, 'rest', requestId);
    response.status(status).set('x-request-id', requestId).json(body);
  };
}
