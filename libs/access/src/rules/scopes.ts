import type { Scope } from '@eas/contracts';
import { AppError } from '@eas/core';

/** Throws forbidden when somebody would give scopes that he lacks himself, naming them. */
export function assertMayGive(given: readonly Scope[], own: readonly Scope[]): void {
  const missing = given.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new AppError('forbidden', { message: `Only who has a scope may give it; missing: ${missing.join(', ')}.` });
}

/** Throws forbidden when somebody would change or remove a person who has scopes that they lack, naming them. */
export function assertMayManage(person: { scopes: readonly Scope[] }, own: readonly Scope[]): void {
  const missing = person.scopes.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  const message = `Only who has all scopes of a user may change that user; missing: ${missing.join(', ')}.`;
  throw new AppError('forbidden', { message });
}

/** The scopes of a list that another one has not. */
export const addedTo = (before: readonly Scope[], after: readonly Scope[]): Scope[] =>
  after.filter((scope) => !before.includes(scope));
