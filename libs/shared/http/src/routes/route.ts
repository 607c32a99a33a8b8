import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal, Scope } from '@eas/contracts';
import type { ErrorCode, Logger } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { z } from 'zod';
import type { RouteResponse, ResponseOf, ResponseDefs } from './responses.ts';
import { type Deprecation, deprecationHeaders } from './deprecation.ts';
import { type FormReader, formReader } from '../reading/form-schema.ts';
import { type BodyReader, bodyReader } from '../reading/body-schema.ts';
import { type QueryReader, queryReader } from '../reading/query-schema.ts';

/**
 * Who may call a route. `scope`: an authenticated caller with that scope, or with any of several. `session`: a page for
 * a person who is signed in and has any of the scopes (none named: any signed-in person); others are sent to sign in.
 * `signature`: a receiver; the handler gets the raw bytes and verifies them itself, and a function given here may
 * refuse a request before its body is read. `public`: any caller.
 */
export type Access =
  | { scope: Scope | readonly Scope[] }
  | { session: readonly Scope[] }
  | { signature: true | ((head: RequestHead) => void) }
  | 'public';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Which rate window a call counts in: claims and lease calls have their own, ten times as wide. */
export type Bucket = 'api' | 'agent';

/** The context of a public route or a receiver: there is no tenant yet. */
type OpenContext = { logger: Logger; signal: AbortSignal };

/** A request before its body is read. */
export type RequestHead = Pick<RequestFacts, 'headers' | 'remoteAddress'>;

/** The request of a handler. Header names are lower case. */
export type RequestFacts = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  method: string;
  /** As called, without the query. */
  path: string;
  requestId: string;
  remoteAddress: string;
  /** Bytes of the body as received; empty if there was none. */
  rawBody: Buffer;
  /** Of the Idempotency-Key header, where the route takes one. */
  idempotencyKey?: string | undefined;
  /** For foreign protocols that read or write headers and cookies themselves. */
  raw: { request: IncomingMessage; response: ServerResponse };
};

type Shape = z.ZodObject<z.ZodRawShape>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;

type Caller = { scope: unknown } | { session: unknown };
type HandlerContext<A> = A extends Caller ? UseCaseContext : OpenContext;
type HandlerRequest<A, P, Q, B, V> = RequestFacts & {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: B extends z.ZodType ? z.output<B> : undefined;
} & (A extends Caller ? { principal: Principal } : unknown) &
  (V extends true ? { ifMatch: readonly number[] | undefined } : unknown);

/** One endpoint: its contract, who may call it, and the handler that the contract types. */
export type RouteDef<A extends Access, P, Q, B, F, V, R extends ResponseDefs, H> = {
  method: Method;
  /** OpenAPI form: /v1/tasks/{task_id}. */
  path: string;
  /** The name of the operation in generated clients, a verb first: createTask. Every documented route has one of its own. */
  operationId?: string;
  /** A few words, a verb first. */
  summary: string;
  /** Paragraphs of Markdown: what the operation does, when to use it, what changes, what follows. */
  description?: readonly string[];
  tags: readonly [string, ...string[]];
  access: A;
  /** A param that does not fit is 404; params are text. */
  params?: P;
  /** Values are text (lists of text for arrays). */
  query?: Q;
  /** An object schema is made strict: unknown keys are 400 unknown_field. Signature routes have none. */
  body?: B;
  /** Instead of `body`, for a POST of a page: urlencoded fields, read as a query's values are. */
  form?: F;
  /** Body keys that are accepted and ignored: what a client reads of the resource and may post back. */
  readOnly?: readonly string[];
  responses: R;
  /** Error codes beyond those that follow from access: documentation. */
  errors: readonly ErrorCode[];
  bucket?: Bucket;
  /** Idempotency-Key: kept responses; refused; left to the handler. POST only; default true. */
  isIdempotent?: Idempotency;
  /** The resource has a version: GET shows it as ETag; what changes it takes If-Match, for `assertVersion`. */
  isVersioned?: V;
  /**
   * Of a route that speaks JSON-RPC: where its metadata as a protected resource is (RFC 9728). Errors are those of
   * JSON-RPC, and a caller without a credential is sent there.
   */
  resourceMetadata?: string;
  /** Marks every response and the contract: the route will be removed. */
  deprecation?: Deprecation;
  /** false: left out of the OpenAPI document, as pages always are. */
  isDocumented?: boolean;
  /** A response may come late because the caller asked for it: the log does not take it for slow. As every stream. */
  canWait?: boolean;
  /** Also for callers of a suspended tenant. For what ends their access. */
  isForSuspended?: boolean;
  /** false: not in the access log. For probes. */
  isLogged?: boolean;
  /**
   * Runs before the transaction of an Idempotency-Key: it may wait for other services than the database, and writes
   * nothing.
   */
  prepare?: (ctx: HandlerContext<A>, request: HandlerRequest<A, P, Q, F extends z.ZodType ? F : B, V>) => Promise<void>;
  handler: (ctx: HandlerContext<A>, request: HandlerRequest<A, P, Q, F extends z.ZodType ? F : B, V>) => Promise<H>;
};

/** What implements an Idempotency-Key: the server, nothing, or the route's own handler. */
type Idempotency = boolean | 'by_handler';

export type Route = {
  method: Method;
  path: string;
  operationId: string | undefined;
  summary: string;
  description: readonly string[];
  tags: readonly string[];
  access: Access;
  /** Whether a caller must be known: access by scope or session. */
  hasCaller: boolean;
  /** Any one of these opens the route; none: any caller that the access lets in. */
  scopes: readonly Scope[];
  /** Responds with a stream: a caller may have a limited number of them. */
  isStream: boolean;
  /** Serves people: errors are pages, and who is not signed in is sent to sign in. */
  isPage: boolean;
  params: Shape | undefined;
  query: Shape | undefined;
  body: z.ZodType | undefined;
  readOnly: readonly string[];
  readQuery: QueryReader;
  readBody: BodyReader | undefined;
  readForm: FormReader | undefined;
  responses: ResponseDefs;
  errors: readonly ErrorCode[];
  bucket: Bucket;
  isIdempotent: Idempotency;
  isVersioned: boolean;
  resourceMetadata: string | undefined;
  deprecation: Deprecation | undefined;
  isDocumented: boolean;
  canWait: boolean;
  isForSuspended: boolean;
  isLogged: boolean;
  headers: Readonly<Record<string, string>> | undefined;
  prepare: ((ctx: never, request: never) => Promise<void>) | undefined;
  handler: (ctx: never, request: never) => Promise<RouteResponse>;
};

/** Whether If-Match says which versions the route may change. */
export const takesIfMatch = ({ isVersioned, method }: Route): boolean => isVersioned && method !== 'GET';

/** Whether a route takes webhooks: of larger bodies, and whatever the query is, which platforms are given with it. */
export const isReceiver = (access: Access): access is Extract<Access, { signature: unknown }> =>
  typeof access === 'object' && 'signature' in access;

/** Describes one endpoint: contract, access, responses, errors and handler. Throws on a contradiction, at boot. */
export function defineRoute<
  const A extends Access,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  F extends Shape | undefined = undefined,
  const V extends boolean = false,
  const R extends ResponseDefs = ResponseDefs,
  const H extends ResponseOf<R> = ResponseOf<R>,
>(definition: RouteDef<A, P, Q, B, F, V, R, H>): Route {
  const { method, path, access, params, query, body, form, readOnly = [], deprecation } = definition;
  const { scopes, hasCaller, isSession } = accessParts(access);
  const isPage = isSession || form !== undefined || Object.values(definition.responses).some(({ html }) => html);
  const isStream = Object.values(definition.responses).some(({ stream }) => stream);
  const contradiction = findContradiction(definition, { isPage, isStream });
  if (contradiction) throw new Error(`${method} ${path}: ${contradiction}`);
  return {
    method,
    path,
    operationId: definition.operationId,
    summary: definition.summary,
    description: definition.description ?? [],
    tags: definition.tags,
    access,
    hasCaller,
    scopes,
    isStream,
    isPage,
    params,
    query,
    body,
    readOnly,
    readQuery: isReceiver(access) ? () => ({}) : queryReader(query),
    readBody: body && bodyReader(body, { readOnly, isPatch: method === 'PATCH' }),
    readForm: form && formReader(form),
    responses: definition.responses,
    errors: definition.errors,
    bucket: definition.bucket ?? 'api',
    isIdempotent: method === 'POST' && hasCaller && !isPage && (definition.isIdempotent ?? true),
    isVersioned: definition.isVersioned ?? false,
    resourceMetadata: definition.resourceMetadata,
    deprecation,
    isDocumented: definition.isDocumented ?? !isPage,
    canWait: definition.canWait ?? isStream,
    isForSuspended: definition.isForSuspended ?? false,
    isLogged: definition.isLogged ?? true,
    headers: deprecation && deprecationHeaders(deprecation),
    prepare: definition.prepare as Route['prepare'],
    handler: definition.handler as Route['handler'],
  };
}

function accessParts(access: Access) {
  if (typeof access === 'object' && 'session' in access)
    return { isSession: true, hasCaller: true, scopes: access.session };
  const hasCaller = typeof access === 'object' && 'scope' in access;
  return { isSession: false, hasCaller, scopes: hasCaller ? ([access.scope].flat() as readonly Scope[]) : [] };
}

type CheckedParts = {
  method: Method;
  path: string;
  access: Access;
  params?: Shape | undefined;
  body?: z.ZodType | undefined;
  form?: Shape | undefined;
  isDocumented?: boolean;
};

type Kind = { isPage: boolean; isStream: boolean };

function findContradiction(definition: CheckedParts, { isPage, isStream }: Kind): string | undefined {
  const { method, path, access, params, body, form } = definition;
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  if (names.join() !== Object.keys(params?.shape ?? {}).join()) return 'params do not fit';
  const { isSession, hasCaller, scopes } = accessParts(access);
  if (hasCaller && !isSession && scopes.length === 0) return 'no scope is named';
  if (isStream && (method !== 'GET' || !hasCaller || isPage)) return 'a stream is a GET of a caller with a scope';
  if (isPage && hasCaller && !isSession) return 'a page is for a session or for anybody';
  if (isPage && definition.isDocumented) return 'pages are not part of the contract';
  if (isPage && body) return 'a page takes a form, no body';
  if (form && method !== 'POST') return 'only POST takes a form';
  if (isSession && !form && method !== 'GET') return 'a session changes things by forms, for their CSRF token';
  if (method === 'PATCH' && body && setsDefaults(body)) return 'a PATCH body has no defaults';
  return undefined;
}

/** A default would change fields that the caller did not send. */
const setsDefaults = (body: z.ZodType): boolean =>
  Object.values((body as Partial<Shape>).shape ?? {}).some((field) => field instanceof z.ZodDefault);
