import { errorResponse } from '@eas/contracts';
import { CsvBody, type RouteResponse, type ResponseDefs } from '../routes/responses.ts';
import type { Route } from '../routes/route.ts';

/** Errors that were kept for an idempotency key come as responses. */
const keptError: ResponseDefs[number] = { description: 'An error.', schema: errorResponse };

/** Throws when a response is not documented by its route: a programming error, checked in tests. */
export function checkResponse(route: Route, { status, body, stream }: RouteResponse): void {
  const documented = route.responses[status] ?? (status >= 400 ? keptError : undefined);
  if (!documented) throw new Error(`${route.method} ${route.path}: status ${status} is not documented`);
  if (documented.stream) {
    if (!stream) throw new Error(`${route.method} ${route.path}: the ${status} response is no stream`);
    return;
  }
  if (documented.html) {
    if (typeof body !== 'string') throw new Error(`${route.method} ${route.path}: the ${status} response is no page`);
    return;
  }
  if (documented.csv !== undefined) {
    if (!(body instanceof CsvBody)) throw new Error(`${route.method} ${route.path}: the ${status} response is no CSV`);
    return;
  }
  const parsed = documented.schema?.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (parsed && !parsed.success)
    throw new Error(`${route.method} ${route.path}: the ${status} response breaks its schema: ${parsed.error.message}`);
  if (!documented.schema && body !== undefined)
    throw new Error(`${route.method} ${route.path}: the ${status} response has a body that is not documented`);
}
