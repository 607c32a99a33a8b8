import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { requireRights } from '../handling/admission.ts';
import type { RouteResponse } from '../routes/responses.ts';
import { readParams } from '../routes/params.ts';
import type { RequestFacts, Route } from '../routes/route.ts';

/** Arguments by name, for a route's path, query and body alike. */
export type RouteArguments = Readonly<Record<string, unknown>>;

/**
 * Calls a route by named arguments inside the process, for another protocol on the same endpoints. The route's own
 * scope and contract are checked, and it throws their errors; caller and rate limit were checked when the outer request
 * arrived.
 */
export async function callRoute(
  route: Route,
  ctx: UseCaseContext,
  request: RequestFacts & { principal: Principal },
  args: RouteArguments,
): Promise<RouteResponse> {
  requireRights(route, request.principal);
  const rest: Record<string, unknown> = { ...args };
  const values = Object.keys(route.params?.shape ?? {}).map((name) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(textOf(name, value));
  });
  const facts = {
    ...request,
    params: readParams(route, values),
    query: route.readQuery(route.readBody ? '' : queryOf(rest)),
    body: route.readBody?.(rest),
    ifMatch: undefined,
  };
  const handler = route.handler as (ctx: unknown, request: unknown) => Promise<RouteResponse>;
  return handler(ctx, facts);
}

function queryOf(args: RouteArguments): string {
  const pairs = Object.entries(args).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, textOf(name, one)] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const constraint = value === undefined || value === null ? 'required' : 'type';
  const field = name.slice(0, 100);
  throw new AppError('invalid_input', { violations: [{ field, constraint }] });
}
