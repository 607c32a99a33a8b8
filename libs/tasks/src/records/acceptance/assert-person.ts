import type { Actor } from '@eas/contracts';
import { AppError } from '@eas/core';

/**
 * Throws 403 for an agent, whatever the scopes of its key: only a person may answer. `what` it cannot do, and what to
 * do `instead`.
 */
export function assertPerson({ agentId }: Actor, what: string, instead: string): void {
  if (agentId === undefined) return;
  throw new AppError('forbidden', { message: `An agent cannot ${what}. ${instead}` });
}
