import type { HeartbeatBody, LeaseResult } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertHeld, leaseLost } from './lease.ts';
import { findLease, renewLease } from './lease.store.ts';

export type LeaseCall<Body> = { leaseId: string; leaseSeconds: number; body: Body };

/** Renews a lease; 409 `lease_lost` when it is not held any more. */
export async function heartbeatLease(
  ctx: UseCaseContext,
  { leaseId, leaseSeconds, body }: LeaseCall<HeartbeatBody>,
): Promise<LeaseResult> {
  assertHeld(await findLease(ctx, leaseId), body.fencing_token, ctx.actor);
  const expiresAt = await renewLease(ctx, { id: leaseId, fencingToken: body.fencing_token, leaseSeconds });
  // Between the two statements the lease may have run out.
  if (!expiresAt) throw leaseLost();
  return { expires_at: formatTimestamp(expiresAt), directives: [] };
}
