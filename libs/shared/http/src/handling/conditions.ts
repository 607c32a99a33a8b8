import { AppError } from '@eas/core';
import { idempotencyKeyOf } from '../idempotency/idempotency.ts';
import { readIfMatch } from '../reading/if-match.ts';
import { isReceiver, type RequestFacts, type Route, takesIfMatch } from '../routes/route.ts';

/** A condition that a change would ignore is refused: the caller relies on it. */
export function ifMatchOf(route: Route, header: string | undefined): readonly number[] | undefined {
  if (takesIfMatch(route)) return readIfMatch(header);
  if (header === undefined || route.method === 'GET' || !route.hasCaller) return undefined;
  throw withoutEffect('If-Match', 'this operation does not take it');
}

/**
 * A caller with a key may repeat the request: the key is refused if that would repeat the effect. Receivers detect
 * repeats themselves.
 */
export function keyOf(route: Route, headers: RequestFacts['headers']): string | undefined {
  if (route.isIdempotent) return idempotencyKeyOf(headers);
  const isIgnored = route.method !== 'POST' || route.isPage || isReceiver(route.access);
  if (isIgnored || headers['idempotency-key'] === undefined) return undefined;
  throw withoutEffect('Idempotency-Key', 'a repeated request is carried out again');
}

function withoutEffect(field: string, why: string): AppError {
  const message = `${field} has no effect here: ${why}. Leave it out.`;
  return new AppError('invalid_request', { field, constraint: 'unknown_field', message });
}
