import type { Actor, Principal, TenantTerms } from '@eas/contracts';
import type { Logger } from '@eas/core';
import type { StatementWatch, UseCaseContext } from '@eas/db';
import type { RequestHandler } from 'express';
import type { AccessLog } from './access-log.ts';
import type { CutReason } from '../intake/cut-error.ts';
import type { IntakeLimits } from '../intake/intake-limits.ts';
import type { Headers } from '../reading/headers.ts';
import type { ErrorPage } from '../routes/error-response.ts';
import type { CallBudget } from '../limits/call-budget.ts';
import type { Streams } from '../streams/streams.ts';

/** A handler of its own under a path: a foreign protocol, static files. */
export type Mount = {
  path: string;
  handler: RequestHandler;
  /** The pattern of a path below, for log and metrics; default: the mount's own path. */
  routeOf?: (path: string) => string | undefined;
};

/** The caller of a context. `watch`: for statements outside of transactions. */
type ContextCaller = {
  tenantId: string;
  actor: Actor;
  /** Of its tenant, instead of those of the installation. */
  limits?: TenantTerms['limits'] | undefined;
  signal: AbortSignal;
  logger: Logger;
  watch: StatementWatch;
};

/** What the HTTP server needs of the rest of the process; container.ts supplies it. */
export type HttpDeps = {
  /** Who calls; throws AppError unauthorized. */
  authenticate: (headers: Headers, remoteAddress: string) => Principal | Promise<Principal>;
  /** The tenant of a recently accepted credential, without a look-up. */
  tenantOf?: (headers: Headers) => string | undefined;
  makeContext: (caller: ContextCaller) => UseCaseContext;
  /** Whether a request brings a credential, right or wrong. Default: a key or an Authorization header. */
  hasCredential?: (headers: Headers) => boolean;
  /** Counts calls, their cost, and wrong credentials. Left out: no limits and no X-RateLimit headers. */
  budget?: Pick<CallBudget, 'take' | 'charge' | 'lookUps'>;
  logger: Logger;
  /** Gets every response but those of routes with `isLogged: false`. Default: a line for each in `logger`. */
  accessLog?: AccessLog;
  /** What clients call, without a final slash: a Location that is a path goes out as an address below it. */
  baseUrl?: string;
  /** Called for every response, for metrics. `route` is the pattern, or a mount's; `unmatched` for unknown paths. */
  onResponse?: (seen: { method: string; route: string; status: number; durationMs: number }) => void;
  /** Proxies (CIDRs) whose X-Forwarded-For is trusted; default none. */
  trustProxy?: readonly string[];
  /** Secrets of gateways that pass requests on and are trusted for the caller; default none. */
  gatewaySecrets?: readonly string[];
  /** Origins whose pages may call the API from a browser; default none. */
  corsOrigins?: readonly string[];
  /** Where a person signs in; needed by routes with access {session}. */
  signInPath?: string;
  /** The page that shows a person an error; needed by routes that return pages. */
  renderErrorPage?: (error: ErrorPage) => string;
  /** Needed by routes that stream. */
  streams?: Streams;
  /** For tests: a response that does not match its documented schema becomes a 500. */
  checksResponses?: boolean;
  intakeLimits?: Partial<IntakeLimits>;
  /** Called with each body that was cut because of these limits, for metrics. */
  onBodyCut?: (reason: CutReason) => void;
  /** Handlers of foreign protocols under a path, asked before the routes. */
  mounts?: readonly Mount[];
};
