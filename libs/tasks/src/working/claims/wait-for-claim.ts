import type { UseCaseContext } from '@eas/db';
import type { Claim, ClaimInput, Poll } from './claim.ts';
import { claimTask } from './claim-task.ts';
import { releaseClaim } from './release-claim.ts';
import { traceClaim } from './trace-claim.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** A wake-up may be lost; then a waiting claim polls again after that long. */
const pollMs = 30_000;

/** Claims a task, waiting up to `waitMs` for one to come. Undefined: none came, or the caller went away. */
export async function waitForClaim(
  ctx: UseCaseContext,
  room: WaitingRoom,
  input: ClaimInput & { waitMs: number },
): Promise<Claim | undefined> {
  const claim = await pollUntilFound(ctx, room, input);
  if (claim?.waitedMs !== undefined) room.onClaimed?.(claim.waitedMs);
  if (claim) traceClaim(claim, input.agentId);
  return claim;
}

async function pollUntilFound(
  ctx: UseCaseContext,
  room: WaitingRoom,
  { waitMs, ...input }: ClaimInput & { waitMs: number },
): Promise<Claim | undefined> {
  const deadline = ctx.clock.monotonicMs() + waitMs;
  const first = await pollIfConnected(ctx, input);
  room.sightings.record({ tenantId: ctx.tenantId, id: input.agentId });
  if (!first || first.claim || waitMs <= 0) return first?.claim;
  const seat = room.enter({ tenantId: ctx.tenantId, agentId: input.agentId, ...first.agent });
  let hasWake = false;
  try {
    for (;;) {
      // The seat is taken before looking, so that a task made in between is not missed.
      hasWake = seat.startPoll();
      const poll = await pollIfConnected(ctx, input);
      if (!poll || poll.claim) return poll?.claim;
      hasWake = false;
      const remaining = deadline - ctx.clock.monotonicMs();
      if (remaining <= 0 || room.closing.aborted) return undefined;
      await seat.rest(Math.min(remaining, pollMs), ctx.signal);
      if (room.closing.aborted) return undefined;
    }
  } finally {
    seat.leave(hasWake);
  }
}

/** Claims nothing for a caller that is gone, and gives back what was claimed while it went. */
async function pollIfConnected(ctx: UseCaseContext, input: ClaimInput): Promise<Poll | undefined> {
  if (ctx.signal.aborted) return undefined;
  const poll = await claimTask(ctx, input);
  if (!poll.claim || !ctx.signal.aborted) return poll;
  await giveBack(ctx, poll.claim);
  return undefined;
}

/** Gives a claim back that its caller cannot receive; not one that another caller may have received. */
export async function giveBack(ctx: UseCaseContext, { body: { lease }, isReplayed }: Claim): Promise<void> {
  if (isReplayed) return;
  await releaseClaim(ctx, { leaseId: lease.lease_id, fencingToken: lease.fencing_token });
}
