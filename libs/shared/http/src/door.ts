import type { Logger } from '@eas/core';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { answerRequest } from './answer-request.ts';
import type { DoorDeps } from './door-deps.ts';
import { errorAnswer } from './error-answer.ts';
import { requestIdOf } from './request-id.ts';
import type { Route } from './route.ts';
import { createRouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';

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
