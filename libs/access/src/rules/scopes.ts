import type { Scope } from '@eas/contracts';
import { AppError } from '@eas/core';

/** Throws forbidden when a caller would grant scopes that it lacks, naming them. */
export function assertMayGive(given: readonly Scope[], own: readonly Scope[]): void {
  const missing = given.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new AppError('forbidden', {
    message: `scopes must not exceed your own. You do not have: ${missing.join(', ')}.`,
  });
}

/** Throws forbidden when a caller would change or remove a person with scopes that the caller lacks, naming them. */
export function assertMayManage(person: { scopes: readonly Scope[] }, own: readonly Scope[]): void {
  const missing = person.scopes.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  const message = `You must have all scopes of a user to change that user. You do not have: ${missing.join(', ')}.`;
  throw new AppError('forbidden', { message });
}

export const addedTo = (before: readonly Scope[], after: readonly Scope[]): Scope[] =>
  after.filter((scope) => !before.includes(scope));
