import type { Route } from '../route.ts';

const wholeNumber = (minimum: number, maximum: number) => ({ type: 'integer' as const, minimum, maximum });
const text = (maxLength: number) => ({ type: 'string' as const, minLength: 1, maxLength });
const farFuture = 9_999_999_999;

/** Every answer header that the contract speaks of. Descriptions of the headers of one route alone stand at the route. */
const headers = {
  'X-Request-Id': {
    description: 'Names the request; errors carry it as error.request_id.',
    schema: { ...text(64), pattern: '^[A-Za-z0-9._-]{8,64}$' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed in the window.', schema: wholeNumber(1, farFuture) },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: wholeNumber(0, farFuture) },
  'X-RateLimit-Reset': { description: 'Unix seconds at which the window ends.', schema: wholeNumber(0, farFuture) },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: wholeNumber(0, 86_400) },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 9110).', schema: text(1_000) },
  Location: { description: 'Address of what was made.', schema: { ...text(2_048), format: 'uri-reference' } },
  ETag: {
    description: 'Version of the resource, for If-Match.',
    schema: { ...text(34), pattern: '^"[0-9]+"$', examples: ['"3"'] },
  },
  'Idempotent-Replayed': {
    description: 'There when the answer is the kept outcome of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { ...text(32), pattern: '^@[0-9]+$' },
  },
  Sunset: { description: 'When the operation stops answering (RFC 8594).', schema: text(64) },
  Link: { description: 'What to read about it.', schema: text(2_048) },
};
type HeaderName = keyof typeof headers;

/** Few answers have them: described where they stand, so that no component is without use. */
const rare: readonly string[] = ['Deprecation', 'Sunset', 'Link'];

/** The headers that answers refer to, as components. */
export const headerComponents = Object.entries(headers).filter(([name]) => !rare.includes(name));

/** Headers of an answer: those named, and those that the route describes itself. */
function headersOf(names: readonly HeaderName[], own: Readonly<Record<string, string>> = {}) {
  const known = Object.fromEntries(
    [...names, ...Object.keys(own).filter(isKnown)].map((name) => [name, headerOf(name)]),
  );
  const others = Object.entries(own).filter(([name]) => !isKnown(name));
  return {
    ...known,
    ...Object.fromEntries(others.map(([name, description]) => [name, { description, schema: text(2_048) }])),
  };
}

const isKnown = (name: string): name is HeaderName => name in headers;
const headerOf = (name: HeaderName) => (rare.includes(name) ? headers[name] : { $ref: `#/components/headers/${name}` });

const limitNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

function namesOfAll({ deprecation }: Route): HeaderName[] {
  if (!deprecation) return ['X-Request-Id'];
  return ['X-Request-Id', 'Deprecation', ...(deprecation.sunset ? (['Sunset'] as const) : []), 'Link'];
}

/** Headers of a documented answer that is no error. */
export function answerHeaders(route: Route, own: Readonly<Record<string, string>> | undefined, hasBody: boolean) {
  const names = namesOfAll(route);
  if (route.hasCaller) names.push(...limitNames);
  if (route.isVersioned && hasBody) names.push('ETag');
  if (route.isIdempotent && hasBody) names.push('Idempotent-Replayed');
  return headersOf(names, own);
}

/** Headers of an error: who is not known is not counted, nor is what was no request yet. */
export function errorHeaders(route: Route, status: number) {
  const names = namesOfAll(route);
  if (route.hasCaller && status !== 401 && status !== 431 && status < 500) names.push(...limitNames);
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429) names.push('Retry-After');
  return headersOf(names);
}
