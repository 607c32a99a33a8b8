import type { Principal, Scope } from '@eas/contracts';
import type { ErrorCode, Logger } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { z } from 'zod';
import { type BodyReader, bodyReader } from './reading/body-schema.ts';
import { type QueryReader, queryReader } from './reading/query-schema.ts';

/**
 * Who may call a route. `scope`: an authenticated caller with that scope, or with any of several.
 * `signature`: a receiver; the handler gets the raw bytes and verifies them itself. `public`: anybody.
 */
export type Access = { scope: Scope | readonly Scope[] } | { signature: true } | 'public';

/** Methods that routes may have. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Which rate window a call counts in: claims and lease calls have their own, ten times as wide. */
export type Bucket = 'api' | 'agent';

/** What a public route or a receiver gets instead of a use case's context: there is no tenant yet. */
export type OpenContext = { logger: Logger; signal: AbortSignal };

/** What every handler gets of its request. Header names are lower case. */
export type RequestFacts = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  method: string;
  /** As called, without the query. */
  path: string;
  requestId: string;
  remoteAddress: string;
  /** Bytes of the body as they came; empty when there was none. */
  rawBody: Buffer;
};

type ResponseDef = {
  description: string;
  schema?: z.ZodType;
  /** Documented response headers: name → meaning. */
  headers?: Record<string, string>;
};
/** Documented answers by status. */
export type ResponseDefs = Record<number, ResponseDef>;

/** Literals of a handler are inferred as readonly. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type AnswerBody<D> = D extends { schema: infer S extends z.ZodType }
  ? { body: Frozen<z.input<S>> }
  : { body?: undefined };

/** What a handler returns: one of the documented statuses with its body. */
export type AnswerOf<R extends ResponseDefs> = {
  [S in keyof R & number]: {
    status: S;
    headers?: Record<string, string>;
    /** Runs when the caller was gone before the answer was written out. */
    onUnsent?: () => Promise<void>;
  } & AnswerBody<R[S]>;
}[keyof R & number];

/** An answer whose types are no longer known. */
export type Answer = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  onUnsent?: () => Promise<void>;
};

type Shape = z.ZodObject<z.ZodRawShape>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;

type HandlerContext<A> = A extends { scope: unknown } ? UseCaseContext : OpenContext;
type HandlerRequest<A, P, Q, B> = RequestFacts & {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: B extends z.ZodType ? z.output<B> : undefined;
} & (A extends { scope: unknown } ? { principal: Principal } : unknown);

/** One endpoint: its contract, who may call it, and the handler that the contract types. */
export type RouteDef<A extends Access, P, Q, B, R extends ResponseDefs, H> = {
  method: Method;
  /** OpenAPI form: /v1/tasks/{task_id}. */
  path: string;
  summary: string;
  tags: readonly [string, ...string[]];
  access: A;
  /** A param that does not fit is 404; params are text. */
  params?: P;
  /** Values are text (lists of text for arrays). */
  query?: Q;
  /** An object schema is made strict: unknown keys are 400 unknown_field. Signature routes have none. */
  body?: B;
  /** Body keys that are accepted and ignored: what a client reads of the resource and may post back. */
  readOnly?: readonly string[];
  responses: R;
  /** Error codes beyond those that follow from access: documentation. */
  errors: readonly ErrorCode[];
  bucket?: Bucket;
  /** false: an Idempotency-Key header is ignored (lease calls). POST only; default true. */
  isIdempotent?: boolean;
  /** Headers set on every answer of the route: Deprecation, Sunset, Link. */
  headers?: Record<string, string>;
  handler: (ctx: HandlerContext<A>, request: HandlerRequest<A, P, Q, B>) => Promise<H>;
};

/** A route with its schemas compiled, as the door uses it. */
export type Route = {
  method: Method;
  path: string;
  summary: string;
  tags: readonly string[];
  access: Access;
  /** Any one of these opens the route; empty for public routes and receivers. */
  scopes: readonly Scope[];
  params: Shape | undefined;
  query: Shape | undefined;
  body: z.ZodType | undefined;
  readQuery: QueryReader;
  readBody: BodyReader | undefined;
  responses: ResponseDefs;
  errors: readonly ErrorCode[];
  bucket: Bucket;
  isIdempotent: boolean;
  headers: Record<string, string>;
  handler: (ctx: never, request: never) => Promise<Answer>;
};

/** Describes one endpoint: contract, access, answers, errors and handler. Throws on a contradiction, at boot. */
export function defineRoute<
  const A extends Access,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const R extends ResponseDefs = ResponseDefs,
  const H extends AnswerOf<R> = AnswerOf<R>,
>(definition: RouteDef<A, P, Q, B, R, H>): Route {
  const { method, path, access, params, query, body, readOnly = [] } = definition;
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  if (names.join() !== Object.keys(params?.shape ?? {}).join()) throw new Error(`${method} ${path}: params do not fit`);
  const scopes = typeof access === 'object' && 'scope' in access ? [access.scope].flat() : [];
  return {
    method,
    path,
    summary: definition.summary,
    tags: definition.tags,
    access,
    scopes: scopes as readonly Scope[],
    params,
    query,
    body,
    readQuery: queryReader(query),
    readBody: body && bodyReader(body, { readOnly, isPatch: method === 'PATCH' }),
    responses: definition.responses,
    errors: definition.errors,
    bucket: definition.bucket ?? 'api',
    isIdempotent: method === 'POST' && scopes.length > 0 && (definition.isIdempotent ?? true),
    headers: definition.headers ?? {},
    handler: definition.handler as Route['handler'],
  };
}
