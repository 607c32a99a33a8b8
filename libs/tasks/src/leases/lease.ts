import type { Actor } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { HeldLease } from './lease.store.ts';

/** Throws 403 unless the actor is that agent or may act for any. */
export function assertActsFor(actor: Actor, agentId: string): void {
  if (actor.isAdmin || actor.agentId === agentId) return;
  throw new AppError('forbidden', { message: 'this key may act only for its own agent' });
}

/** Throws 404 for an unknown lease, 403 for another agent's and 409 `lease_lost` for one that is not held any more. */
export function assertHeld(
  lease: HeldLease | undefined,
  fencingToken: number,
  actor: Actor,
): asserts lease is HeldLease {
  assertOwn(lease, actor);
  if (!lease.isLive || lease.fencingToken !== fencingToken) throw leaseLost();
}

/** Throws 404 for an unknown lease and 403 for another agent's. */
export function assertOwn(lease: HeldLease | undefined, actor: Actor): asserts lease is HeldLease {
  if (!lease) throw new AppError('not_found', { message: 'no such lease' });
  assertActsFor(actor, lease.agentId);
}

export function leaseLost(): AppError {
  return new AppError('conflict', {
    field: 'fencing_token',
    constraint: 'lease_lost',
    message: 'the lease is no longer held with this fencing token: stop working on the task and claim again',
  });
}
