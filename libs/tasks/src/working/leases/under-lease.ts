import { isDeepStrictEqual } from 'node:util';
import type { Actor, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { directivesOfLease } from '../../records/directives/directive.store.ts';
import { startChange } from '../../moves/task-change.ts';
import { lockTask } from '../../records/tasks/task.store.ts';
import type { LeaseCall, LeaseWork, LockedLease } from './lease-work.ts';
import { assertOwn, leaseLost } from '../../records/leases/lease.ts';
import { type HeldLease, lockLease, renewLease } from '../../records/leases/lease.store.ts';
import { waitsForAnswer } from './park-lease.ts';
import { reviveLease } from './revive-lease.ts';
import { isStillFree, reclaimLease } from './reclaim-lease.ts';

export type LeaseCallRules<R> = {
  /** The call is also taken while the lease waits for an answer. Unset: then it is 409 `state`. */
  mayBeParked?: boolean;
  /** The call is also taken when the lease has run out and no agent has claimed the task since. */
  mayBeLate?: boolean;
  /** When the lease is not held with the token. Its result is returned; undefined: 409 `lease_lost`. Writes stay. */
  whenLost?: (work: LeaseWork) => Promise<R | undefined>;
};

type Token = { fencing_token: number };

/**
 * One call under a lease: locks lease and task (in this order, agents after them), checks owner and token, revives a
 * parked lease whose answer came, does the work, saves the task if the work changed it, renews the lease if the work
 * did not end it (`lease.state = 'over'`), and returns the directives. Throws 404, 403, and 409 `lease_lost` with the
 * directives of the lease.
 */
export async function underLease<R extends object>(
  ctx: UseCaseContext,
  { leaseId, body: { fencing_token: fencingToken } }: LeaseCall<Token>,
  work: (work: LeaseWork) => Promise<R>,
  rules: LeaseCallRules<R> = {},
): Promise<LeaseResult & R> {
  const { actor, clock } = ctx;
  const result = await ctx.inTransaction(async (tx) => {
    const locked = await lockOwnLease(tx, actor, leaseId);
    return underLocked(tx, { ...locked, fencingToken, at: clock.now() }, work, rules);
  });
  // The writes of a call on a lost lease are committed.
  if (result instanceof AppError) throw result;
  return result;
}

/** Locks a lease, which must be the actor's, and its task. */
export async function lockOwnLease(tx: Tx, actor: Actor, leaseId: string): Promise<LockedLease> {
  const lease = await lockLease(tx, leaseId);
  assertOwn(lease, actor);
  const task = await lockTask(tx, lease.taskId);
  if (!task) throw new AppError('not_found', { message: 'The task does not exist.' });
  return { lease, task };
}

/** The call, at this time, when lease and task are locked. Returns 409 `lease_lost`. */
export async function underLocked<R extends object>(
  tx: Tx,
  { lease, task, fencingToken, at }: LockedLease & { fencingToken: number; at: Date },
  work: (work: LeaseWork) => Promise<R>,
  { mayBeParked = false, mayBeLate = false, whenLost }: LeaseCallRules<R>,
): Promise<(LeaseResult & R) | AppError> {
  const act = { at, actor: lease.agentId };
  if (mayBeLate && lease.state === 'over' && isStillFree(lease, task, fencingToken))
    await reclaimLease(tx, lease, task, at);
  const isHeld = lease.state !== 'over' && lease.fencingToken === fencingToken;
  if (isHeld && lease.state === 'answered') {
    // A separate change, with an event of its own.
    const change = startChange(tx, task, act);
    await reviveLease({ tx, lease, task, change });
    change.save();
  }
  if (isHeld && lease.state === 'parked' && !mayBeParked) throw await waitsForAnswer(tx, task.id);
  const before = { ...task };
  const change = startChange(tx, task, act);
  const call = { tx, lease, task, change };
  const result = isHeld ? await work(call) : await whenLost?.(call);
  if (isDeepStrictEqual(task, before)) change.release();
  else change.save();
  if (!isHeld || lease.state === 'over') return afterLease(tx, lease, isHeld, result);
  const renewed = await renewLease(tx, { ...lease, agentId: null });
  if (!renewed || !result) throw new Error('a lease that was locked and live could not be renewed');
  return { ...renewed, ...result };
}

/** The response to a call that ended the lease, or came when it was over. */
async function afterLease<R extends object>(
  tx: Tx,
  lease: HeldLease,
  isHeld: boolean,
  result: R | undefined,
): Promise<(LeaseResult & R) | AppError> {
  if (isHeld && result) return { expires_at: null, directives: [], ...result };
  const directives = await directivesOfLease(tx, lease);
  return result ? { expires_at: null, directives, ...result } : leaseLost(directives);
}
