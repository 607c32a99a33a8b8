import { addressBlock, type Logger } from '@eas/core';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { handleRequest } from './handling/handle-request.ts';
import { createAccessLog } from './exchange/access-log.ts';
import type { HttpDeps } from './exchange/http-deps.ts';
import { respondToError } from './routes/error-response.ts';
import { createIntake } from './intake/intake.ts';
import { takeTurns } from './limits/take-turns.ts';
import { withRouteExtras } from './mount.ts';
import { requestIdOf } from './reading/request-id.ts';
import type { Route } from './routes/route.ts';
import { createRouteTable } from './routes/route-table.ts';
import { allowOrigins } from './security/cors.ts';
import { remoteAddressOf } from './security/remote-address.ts';
import { type ResponseHeaders, apiHeaders, pageHeaders } from './security/security-headers.ts';

/** Builds the Express app that serves the routes. Throws when routes contradict each other or lack what they need, at boot. */
export function mountRoutes(routes: readonly Route[], deps: HttpDeps): Express {
  requireForPages(routes, deps);
  if (!deps.streams && routes.some(({ isStream }) => isStream)) throw new Error('routes that stream need streams');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', deps.trustProxy?.length ? [...deps.trustProxy] : false);
  app.use(takeTurns((request) => deps.tenantOf?.(request.headers) ?? addressBlock(remoteAddressOf(request))));
  const security = apiHeaders();
  const intake = createIntake({ limits: deps.intakeLimits, onBodyCut: deps.onBodyCut });
  const accessLog = deps.accessLog ?? createAccessLog({ logger: deps.logger, lines: 'all', sample: 1 });
  if (deps.corsOrigins?.length) app.use(allowOrigins(deps.corsOrigins, security));
  for (const mount of deps.mounts ?? [])
    app.use(mount.path, withRouteExtras({ ...deps, accessLog, intake }, mount, security));
  const basePath = deps.baseUrl ? new URL(deps.baseUrl).pathname.replace(/\/$/, '') : '';
  const table = createRouteTable(routes);
  const server = { ...deps, accessLog, table, security, pageSecurity: pageHeaders(), basePath, intake };
  app.use((request, response) => handleRequest(server, request, response));
  app.use(handleUnexpected(deps.logger, security));
  return app;
}

function requireForPages(routes: readonly Route[], { renderErrorPage, signInPath }: HttpDeps): void {
  const pages = routes.filter(({ isPage }) => isPage);
  if (pages.length > 0 && !renderErrorPage) throw new Error('pages need renderErrorPage');
  if (pages.some(({ hasCaller }) => hasCaller) && !signInPath) throw new Error('pages of a session need signInPath');
}

/** Handles only errors of a mount, and responses that cannot be written. */
function handleUnexpected(logger: Logger, security: ResponseHeaders): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    logger.error({ err: error, request_id: requestId }, 'request failed');
    if (response.headersSent) return void response.destroy();
    const { status, body } = respondToError(undefined, 'rest', requestId);
    response
      .status(status)
      .set({ ...security, 'x-request-id': requestId })
      .json(body);
  };
}
