import type { Route } from '../routes/route.ts';
import type { Components } from './components.ts';

const wholeNumber = (minimum: number, maximum: number) => ({ type: 'integer' as const, minimum, maximum });
const text = (maxLength: number) => ({ type: 'string' as const, minLength: 1, maxLength });
const farFuture = 9_999_999_999;

/** Response headers that several routes have. A route describes its own. */
const headers = {
  'X-Request-Id': {
    description: 'ID of the request. Errors repeat it as `error.request_id`. Quote it when you report a problem.',
    schema: { ...text(64), pattern: '^[A-Za-z0-9._-]{8,64}$' },
  },
  'X-RateLimit-Limit': {
    description: 'Maximum number of requests in the current window.',
    schema: wholeNumber(1, farFuture),
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests left in the current window.',
    schema: wholeNumber(0, farFuture),
  },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds.', schema: wholeNumber(0, farFuture) },
  'Retry-After': { description: 'Number of seconds to wait before you try again.', schema: wholeNumber(0, 86_400) },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 9110).', schema: text(1_000) },
  Location: { description: 'Path of the created resource.', schema: { ...text(2_048), format: 'uri-reference' } },
  ETag: {
    description: 'Version of the resource. Send it as `If-Match` when you change the resource.',
    schema: { ...text(34), pattern: '^"[0-9]+"$', examples: ['"3"'] },
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
  Deprecation: {
    description: 'When the operation was deprecated (RFC 9745).',
    schema: { ...text(32), pattern: '^@[0-9]+$' },
  },
  Sunset: { description: 'When the operation will be removed (RFC 8594).', schema: text(64) },
  Link: {
    description:
      'Related addresses (RFC 8288): the next page of a list (`rel="next"`), or the documentation of a deprecation (`rel="deprecation"`).',
    schema: text(2_048),
  },
  'X-Total-Count': {
    description: 'Number of items that match the filters of the list.',
    schema: wholeNumber(0, farFuture),
  },
};
export type HeaderName = keyof typeof headers;

/** Headers that mean the same everywhere. */
export const sharedHeaders = (names: readonly HeaderName[], components: Components) => headersOf(names, {}, components);

function headersOf(names: readonly HeaderName[], own: Readonly<Record<string, string>>, components: Components) {
  const known = [...names, ...Object.keys(own).filter(isKnown)];
  const others = Object.entries(own).filter(([name]) => !isKnown(name));
  return Object.fromEntries([
    ...known.map((name) => [name, components.add('headers', name, headers[name])] as const),
    ...others.map(([name, description]) => [name, { description, schema: text(2_048) }] as const),
  ]);
}

const isKnown = (name: string): name is HeaderName => name in headers;

const limitNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

function namesOfAll({ deprecation }: Route): HeaderName[] {
  if (!deprecation) return ['X-Request-Id'];
  return ['X-Request-Id', 'Deprecation', ...(deprecation.sunset ? (['Sunset'] as const) : []), 'Link'];
}

type OwnHeaders = Readonly<Record<string, string>> | undefined;

export function successHeaders(route: Route, own: OwnHeaders, hasBody: boolean, components: Components) {
  const names = namesOfAll(route);
  if (route.hasCaller) names.push(...limitNames);
  if (route.isVersioned && hasBody) names.push('ETag');
  if (route.isIdempotent && hasBody) names.push('Idempotent-Replayed');
  return headersOf(names, own ?? {}, components);
}

/** Headers of an error: who is not known is not counted, nor is what was no request yet. */
export function errorHeaders(route: Route, status: number, components: Components) {
  const names = namesOfAll(route);
  if (route.hasCaller && status !== 401 && status !== 431 && status < 500) names.push(...limitNames);
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429) names.push('Retry-After');
  return headersOf(names, {}, components);
}
