import type { Actor, Directive } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { HeldLease } from './lease.store.ts';

/** Throws 403 unless the actor is that agent or may act for any. */
export function assertActsFor(actor: Actor, agentId: string): void {
  if (actor.isAdmin || actor.agentId === agentId) return;
  throw new AppError('forbidden', { message: 'This key can act only for its own agent.' });
}

/** Throws 404 for an unknown lease and 403 for another agent's. */
export function assertOwn(lease: HeldLease | undefined, actor: Actor): asserts lease is HeldLease {
  if (!lease) throw new AppError('not_found', { message: 'The lease does not exist.' });
  assertActsFor(actor, lease.agentId);
}

/** 409 `lease_lost`, with the directives of the lease. */
export function leaseLost(directives: readonly Directive[]): AppError {
  return new AppError('conflict', {
    field: 'fencing_token',
    constraint: 'lease_lost',
    message: 'The lease is no longer held with this fencing_token. Stop working on the task and claim again.',
    extra: { directives },
    keepsWrites: true,
  });
}
