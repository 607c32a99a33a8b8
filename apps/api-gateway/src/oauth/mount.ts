import type { ServerResponse } from 'node:http';
import type { OauthStorage } from '@eas/access';
import { AppError } from '@eas/core';
import { isUnavailable } from '@eas/db';
import { type CallBudget, type ErrorPage, type Mount, remoteAddressOf } from '@eas/http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { pagePolicy } from './page-policy.ts';
import { registeredPath } from './registration.routes.ts';
import { oauthPaths } from './paths.ts';

export type OauthMountParts = {
  storage: Pick<OauthStorage, 'isWaiting'>;
  provider: Provider;
  baseUrl: string;
  /** Its look-ups are checked by the sender's address before a client, code or token is read; wrong ones count. */
  budget: CallBudget;
  renderError: (error: ErrorPage) => string;
};

type MountRequest = Parameters<Mount['handler']>[0];

const calls: readonly string[] = [oauthPaths.token, oauthPaths.revocation, oauthPaths.introspection];
/** Paths below the mount that are routes of our own. */
const ownRoutes: readonly string[] = [oauthPaths.registration, oauthPaths.registered];
/** Each authorization that begins stores a row, also for an unknown caller. */
const authorizationsPerMinute = 300;
/** The library takes a second for a query of thousands of parameters; of a form it reads the first thousand only. */
const maxQueryParameters = 100;
const resume = new RegExp(`^${oauthPaths.authorization}/[A-Za-z0-9_-]{1,64}$`);

export function oauthMount(parts: OauthMountParts): Mount {
  const { provider, baseUrl } = parts;
  const base = new URL(baseUrl);
  provider.use((ctx, next) => passThrough(parts, ctx as never, next));
  const handle = provider.callback();
  return {
    path: '/oauth',
    routeOf,
    async handler(request, response, next) {
      const [path = '', ...rest] = request.originalUrl.split('?');
      const query = rest.join();
      if (path.startsWith(`${oauthPaths.interaction}/`) || ownRoutes.includes(path)) return next();
      const method = methodOf(path);
      if (!method) return refuse(response, 404, 'This path does not exist.');
      if (request.method !== method)
        return refuse(response, 405, `Only ${method} is allowed on this path.`, { Allow: method });
      if (query.includes('%00')) return refuse(response, 400, 'Parameters must not contain the character U+0000.');
      if (query.split('&', maxQueryParameters + 1).length > maxQueryParameters)
        return refuse(response, 400, `The query must have at most ${maxQueryParameters} parameters.`);
      if (path === oauthPaths.authorization && !(await mayBegin(parts, request, response))) return;
      if (path === oauthPaths.authorization && (await isOfNobody(parts, query)))
        return void response
          .writeHead(303, { location: base.pathname.replace(/\/$/, '') + registeredPath(query) })
          .end();
      if (calls.includes(path) && !(await mayLookUp(parts, request, response))) return;
      request.url = request.originalUrl;
      speakFor(base, request, calls.includes(path));
      return void handle(request, response);
    },
  };
}

export function routeOf(path: string): string | undefined {
  return resume.test(path) ? `${oauthPaths.authorization}/{uid}` : methodOf(path) && path;
}

function methodOf(path: string): 'GET' | 'POST' | undefined {
  if (calls.includes(path)) return 'POST';
  return path === oauthPaths.authorization || resume.test(path) ? 'GET' : undefined;
}

// Addresses and cookies are of the base address, whatever host the request names. Calls of programs get JSON; the HTTP server
// has decided which origins may make them from a browser.
function speakFor({ protocol, host, pathname }: URL, request: MountRequest, isCall: boolean): void {
  const { headers } = request;
  request.baseUrl = pathname.replace(/\/$/, '');
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
  delete headers.origin;
  headers.accept = isCall ? 'application/json' : 'text/html';
}

/**
 * Whether the program registered itself and no person has signed in for it yet: it belongs to the tenant of the
 * first person who does.
 */
const isOfNobody = ({ storage }: OauthMountParts, query: string): Promise<boolean> =>
  storage.isWaiting(new URLSearchParams(query).get('client_id') ?? '');

/** Whether the address is below its limit of authorizations; otherwise the response has been sent. */
async function mayBegin(
  { budget, renderError }: OauthMountParts,
  request: MountRequest,
  response: ServerResponse,
): Promise<boolean> {
  const refusal = await refusalOf(
    budget.attemptFrom(remoteAddressOf(request), 'authorizations', authorizationsPerMinute),
  );
  if (!refusal) return true;
  const { message, headers } = refusal;
  const page = renderError({ status: 429, message, requestId: String(request.headers['x-request-id']) });
  const policy = { 'content-security-policy': pagePolicy(), 'cache-control': 'no-store' };
  response.writeHead(429, { ...headers, ...policy, 'content-type': 'text/html; charset=utf-8' }).end(page);
  return false;
}

/** The error of a limit; undefined: below it. */
async function refusalOf(asked: Promise<void>): Promise<AppError | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Whether a client, a code or a token may be read for a program now; otherwise the response has been sent. */
async function mayLookUp(
  { budget }: OauthMountParts,
  request: MountRequest,
  response: ServerResponse,
): Promise<boolean> {
  const refusal = await refusalOf(budget.lookUps.ask(remoteAddressOf(request)));
  if (!refusal) return true;
  const { body, headers } = tryAgainIn(refusal.headers['Retry-After'] ?? '60');
  response.writeHead(429, { ...headers, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
  return false;
}

function refuse(
  response: ServerResponse,
  status: number,
  description: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error: 'invalid_request', error_description: description }));
}

async function passThrough(parts: OauthMountParts, ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { response_mode: mode } = ctx.query;
  // What the library knows but this service does not offer is refused like unknown paths.
  if (mode !== undefined && mode !== 'query') ctx.query = { ...ctx.query, response_mode: 'unsupported' };
  const originHeader = 'Access-Control-Allow-Origin';
  const isOriginKnown = ctx.res.hasHeader(originHeader);
  await next();
  if (!isOriginKnown) ctx.remove(originHeader);
  dropSessionCookie(ctx, parts.provider.cookieName('session'));
  const failure: unknown = ctx.state['failure'];
  if (isUnavailable(failure)) respondRetryLater(ctx, 503, '1');
  if (ctx.status === 401 || isUnknownGrant(ctx)) await countFailure(parts, ctx);
}

/** The library's session is never stored, so its cookie would be meaningless. */
function dropSessionCookie(ctx: KoaContextWithOIDC, name: string): void {
  const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`));
  if (kept.length === cookies.length) return;
  if (kept.length > 0) ctx.set('Set-Cookie', kept);
  else ctx.remove('Set-Cookie');
}

/** A code or a refresh token that does not exist. */
const isUnknownGrant = (ctx: KoaContextWithOIDC) =>
  ctx.status === 400 && (ctx.body as { error?: unknown } | undefined)?.error === 'invalid_grant';

async function countFailure({ budget }: OauthMountParts, ctx: KoaContextWithOIDC): Promise<void> {
  const refusal = await refusalOf(budget.lookUps.count(remoteAddressOf(ctx.req as MountRequest)));
  if (refusal) respondRetryLater(ctx, 429, refusal.headers['Retry-After'] ?? '60');
}

function respondRetryLater(ctx: KoaContextWithOIDC, status: number, retryAfter: string): void {
  const { body, headers } = tryAgainIn(retryAfter);
  ctx.remove('WWW-Authenticate');
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body;
}

const tryAgainIn = (seconds: string) => ({
  body: { error: 'temporarily_unavailable', error_description: `Try again in ${seconds} s.` },
  headers: { 'Retry-After': seconds },
});
