import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@eas/contracts';
import { AppError, tenantSuspended } from '@eas/core';
import type { RouteResponse } from '../routes/responses.ts';
import type { HttpServer, Exchange } from '../exchange/exchange.ts';
import { ClientGone } from '../intake/read-body.ts';
import type { Route } from '../routes/route.ts';
import { requireCsrfToken } from '../security/csrf.ts';

/** Who calls; of a page, who is signed in. Throws unauthorized, or what throttles wrong credentials. */
export async function identify(server: HttpServer, exchange: Exchange, route: Route): Promise<Principal | undefined> {
  const { headers } = exchange.request;
  return route.isPage ? findSignedIn(server, exchange) : lookUp(server, exchange, headers);
}

/** A page accepts only the cookie: no other credential opens it. */
async function findSignedIn(server: HttpServer, exchange: Exchange): Promise<Principal | undefined> {
  try {
    const principal = await lookUp(server, exchange, { cookie: exchange.request.headers.cookie });
    return principal.kind === 'session' ? principal : undefined;
  } catch (error) {
    if (isUnauthorized(error)) return undefined;
    throw error;
  }
}

/** A recently admitted credential needs no look-up, and does not wait behind callers that guess. */
async function lookUp(
  server: HttpServer,
  { remoteAddress }: Exchange,
  headers: IncomingHttpHeaders,
): Promise<Principal> {
  const { budget, hasCredential = hasKeyOrToken } = server;
  if (!budget || !hasCredential(headers)) return server.authenticate(headers, remoteAddress);
  const { lookUps } = budget;
  if (lookUps.isPaced(remoteAddress) && server.tenantOf?.(headers) === undefined) await lookUps.ask(remoteAddress);
  try {
    return await server.authenticate(headers, remoteAddress);
  } catch (error) {
    if (isUnauthorized(error)) await lookUps.count(remoteAddress);
    throw error;
  }
}

const hasKeyOrToken = (headers: IncomingHttpHeaders) => Boolean(headers['x-api-key'] || headers.authorization);

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === 'unauthorized';

/** 429, then 403: for a changing call of a session without its token, then for a suspended tenant or a missing scope. */
export async function admit(server: HttpServer, exchange: Exchange, route: Route, principal: Principal): Promise<void> {
  if (server.budget) {
    exchange.limit = await server.budget.take(principal, route.bucket);
    // It may have waited for its turn.
    if (exchange.abort.signal.aborted) throw new ClientGone();
    if (exchange.limit.refusal) throw exchange.limit.refusal;
  }
  if (route.isStream && server.streams) exchange.response.once('close', server.streams.slots.take(principal));
  if (principal.kind === 'session' && route.method !== 'GET' && !route.isPage)
    requireCsrfToken(principal, csrfHeaderOf(exchange.request.headers));
  requireRights(route, principal);
}

/** The second name is the one that axios gives to what it finds in the cookie `XSRF-TOKEN`. */
const csrfHeaderOf = (headers: IncomingHttpHeaders) => headers['x-csrf-token'] ?? headers['x-xsrf-token'];

export function mayCall({ scopes }: Pick<Route, 'scopes'>, principal: Pick<Principal, 'scopes'>): boolean {
  return scopes.length === 0 || scopes.some((scope) => principal.scopes.includes(scope));
}

type Rights = Pick<Principal, 'scopes' | 'tenant'>;

/** Throws 403 with the reason for which the tenant is suspended, or naming the scopes that the caller lacks. */
export function requireRights(route: Pick<Route, 'scopes' | 'isForSuspended'>, principal: Rights): void {
  const reason = principal.tenant?.suspendedReason;
  if (reason && !route.isForSuspended) throw tenantSuspended(reason);
  if (mayCall(route, principal)) return;
  throw new AppError('forbidden', { message: `The scope ${route.scopes.join(' or ')} is required.` });
}

/** Throws 401 or 403 when the caller's access was revoked while the handler waited. */
export async function admitAgain(server: HttpServer, exchange: Exchange, route: Route): Promise<void> {
  requireRights(route, await server.authenticate(exchange.request.headers, exchange.remoteAddress));
}

/** Sends a person to sign in, and afterwards back to the page that was asked for, if it is one. */
export function toSignIn(server: HttpServer, { path, query }: Exchange): RouteResponse {
  const found = server.table.find('GET', path);
  const target = query === '' ? path : `${path}?${query}`;
  const back = found && 'route' in found ? `?return_to=${encodeURIComponent(target)}` : '';
  return { status: 303, headers: { Location: `${server.signInPath}${back}` } };
}
