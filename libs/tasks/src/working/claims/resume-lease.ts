import type { ClaimResult, ResumeBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { renewToken } from '../../records/leases/lease.store.ts';
import type { LeaseCall } from '../leases/lease-work.ts';
import { underLease } from '../leases/under-lease.ts';
import { claimResults } from './claim-result.ts';

/**
 * Returns a lease to its agent again, with a new token and the response of a claim. The next call with the old token
 * gets `lease_lost`: if two processes of an agent resume at once, one gets it.
 */
export async function resumeLease(ctx: UseCaseContext, call: LeaseCall<ResumeBody>): Promise<ClaimResult> {
  const { claims } = await underLease(ctx, call, async ({ tx, lease, task, change }) => {
    task.fencingToken += 1;
    lease.fencingToken = task.fencingToken;
    const expiresAt = await renewToken(tx, lease);
    change.save();
    return { claims: await claimResults(tx, [{ ...task, expiresAt }]) };
  });
  const [claim] = claims;
  if (!claim) throw new Error('a resumed lease has no task');
  return claim;
}
