import { type Scope, scopesToRead } from '@eas/contracts';
import { AppError } from '@eas/core';

/** Throws forbidden, naming what is missing: the members of a channel read its events. */
export function assertMayPost(events: readonly string[], scopes: readonly Scope[]): void {
  const missing = scopesToRead(events).filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AppError('forbidden', { message: `events requires the scope ${missing.join(', ')}.` });
}
