import { isDeepStrictEqual } from 'node:util';
import type { LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { directivesOfLease } from '../../records/directives/directive.store.ts';
import { startChange } from '../../moves/task-change.ts';
import { lockTask } from '../../records/tasks/task.store.ts';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
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
  call: LeaseCall<Token>,
  work: (work: LeaseWork) => Promise<R>,
  rules: LeaseCallRules<R> = {},
): Promise<LeaseResult & R> {
  const { actor, clock } = ctx;
  const result = await ctx.inTransaction((tx) => runCall({ actor, clock }, tx, call, work, rules));
  // The writes of a call on a lost lease are committed.
  if (result instanceof AppError) throw result;
  return result;
}

async function runCall<R extends object>(
  { actor, clock }: Pick<UseCaseContext, 'actor' | 'clock'>,
  tx: Tx,
  { leaseId, body: { fencing_token: fencingToken } }: LeaseCall<Token>,
  work: (work: LeaseWork) => Promise<R>,
  { mayBeParked = false, mayBeLate = false, whenLost }: LeaseCallRules<R>,
): Promise<(LeaseResult & R) | AppError> {
  const lease = await lockLease(tx, leaseId);
  assertOwn(lease, actor);
  const task = await lockTask(tx, lease.taskId);
  if (!task) throw new AppError('not_found', { message: 'The task does not exist.' });
  const act = { at: clock.now(), actor: lease.agentId };
  if (mayBeLate && lease.state === 'over' && isStillFree(lease, task, fencingToken))
    await reclaimLease(tx, lease, task, act.at);
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
