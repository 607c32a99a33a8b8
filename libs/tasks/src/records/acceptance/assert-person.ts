import type { Actor } from '@eas/contracts';
import { AppError } from '@eas/core';

/**
 * Throws 403 for an agent, whatever the scopes of its key: where a person is asked, it counts as none. `what` it cannot do,
 * and what is done `instead`.
 */
export function assertPerson({ agentId }: Actor, what: string, instead: string): void {
  if (agentId === undefined) return;
  throw new AppError('forbidden', { message: `An agent cannot ${what}. ${instead}` });
}
