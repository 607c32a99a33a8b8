import type { Scope } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';

export type EndpointRules = {
  /** Whether deliveries may go to the URL, as far as the URL itself shows. */
  vetUrl: (url: string) => { isAllowed: true } | { isAllowed: false; message: string };
  /** Shortest secret that a client may bring. */
  secretMinLength: number;
};

export function violationsOfUrl(url: string, { vetUrl }: Pick<EndpointRules, 'vetUrl'>): Violation[] {
  const vetted = vetUrl(url);
  return vetted.isAllowed ? [] : [{ field: 'url', constraint: 'format', message: vetted.message }];
}

export function violationsOfSecret(
  secret: string | undefined,
  { secretMinLength }: Pick<EndpointRules, 'secretMinLength'>,
): Violation[] {
  if (secret === undefined || secret.length >= secretMinLength) return [];
  return [{ field: 'secret', constraint: 'min_length', message: `must have at least ${secretMinLength} characters` }];
}

export function refuse(violations: Violation[]): void {
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}

/** Throws forbidden, naming what is missing: the owner of the address reads the events. */
export function assertMayRead(needed: readonly Scope[], scopes: readonly Scope[], field: 'events' | 'url'): void {
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AppError('forbidden', { message: `${field} requires the scope ${missing.join(', ')}.` });
}
