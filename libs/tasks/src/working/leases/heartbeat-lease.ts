import type { HeartbeatBody, LeaseResult } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { renewLease } from '../../records/leases/lease.store.ts';
import type { LeaseCall } from './lease-work.ts';
import { underLease } from './under-lease.ts';

/** Renews a lease and returns its directives, in one statement; the reason is determined only if that fails. */
export async function heartbeatLease(ctx: UseCaseContext, call: LeaseCall<HeartbeatBody>): Promise<LeaseResult> {
  const { leaseId: id, body } = call;
  const agentId = ctx.actor.isAdmin ? null : (ctx.actor.agentId ?? '');
  const renewed = await renewLease(ctx, { id, agentId, fencingToken: body.fencing_token });
  return renewed ?? underLease(ctx, call, async () => ({}), { mayBeParked: true });
}
