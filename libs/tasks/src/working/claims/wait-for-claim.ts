import type { UseCaseContext } from '@eas/db';
import type { Claim, ClaimInput, Poll } from './claim.ts';
import { claimTask } from './claim-task.ts';
import { noSlot } from './no-slot.ts';
import { releaseClaim } from './release-claim.ts';
import { traceClaim } from './trace-claim.ts';
import type { WaitingClaims } from './waiting-claims.ts';

/** A wake-up may be lost; then a waiting claim polls again after this time. */
const pollMs = 30_000;

/**
 * Claims a task, waiting up to `waitMs` for one, and for a free slot of the agent. Undefined: there was none, or the
 * caller disconnected. Throws 409 `limit` when the agent is full at the end.
 */
export async function waitForClaim(
  ctx: UseCaseContext,
  waitingClaims: WaitingClaims,
  { waitMs, ...input }: ClaimInput & { waitMs: number },
): Promise<Claim | undefined> {
  const deadline = ctx.clock.monotonicMs() + waitMs;
  let poll = await pollIfConnected(ctx, input);
  waitingClaims.sightings.record({ tenantId: ctx.tenantId, id: input.agentId });
  // A full agent waits for a slot, any other for a task, and either may change into the other.
  while (poll && !poll.claim && !isOver(ctx, waitingClaims, deadline))
    poll = await pollWhenWoken(ctx, waitingClaims, input, { before: poll, deadline });
  if (poll?.isFull) throw await noSlot(ctx, input.agentId);
  const claim = poll?.claim;
  if (claim?.waitedMs !== undefined) waitingClaims.onClaimed?.(claim.waitedMs);
  if (claim) traceClaim(claim, input.agentId);
  return claim;
}

const isOver = ({ clock }: UseCaseContext, waitingClaims: WaitingClaims, deadline: number): boolean =>
  waitingClaims.closing.aborted || clock.monotonicMs() >= deadline;

/** Polls whenever it is woken, until there is a claim, the agent has become full or is full no more, or the time is over. */
async function pollWhenWoken(
  ctx: UseCaseContext,
  waitingClaims: WaitingClaims,
  input: ClaimInput,
  { before: { agent, isFull }, deadline }: { before: Poll; deadline: number },
): Promise<Poll | undefined> {
  const { role, capabilities } = agent;
  const wait = waitingClaims.enter({
    tenantId: ctx.tenantId,
    agentId: input.agentId,
    role,
    capabilities,
    projects: input.projects,
    isFull,
  });
  let hasWake = false;
  try {
    for (;;) {
      // It is registered before it polls, so that a task created in between is not missed.
      hasWake = wait.startPoll();
      const poll = await pollIfConnected(ctx, input);
      if (!poll || poll.claim || poll.isFull !== isFull) return poll;
      hasWake = false;
      if (isOver(ctx, waitingClaims, deadline)) return poll;
      await wait.sleep(Math.min(deadline - ctx.clock.monotonicMs(), pollMs), ctx.signal);
      if (waitingClaims.closing.aborted) return poll;
    }
  } finally {
    wait.leave(hasWake);
  }
}

/** Claims nothing for a disconnected caller, and releases what was claimed while it disconnected. */
async function pollIfConnected(ctx: UseCaseContext, input: ClaimInput): Promise<Poll | undefined> {
  if (ctx.signal.aborted) return undefined;
  const poll = await claimTask(ctx, input);
  if (!poll.claim || !ctx.signal.aborted) return poll;
  await giveBack(ctx, poll.claim);
  return undefined;
}

/** Releases a claim that its caller cannot receive, unless another caller may have received it. */
export async function giveBack(ctx: UseCaseContext, { body: { lease }, isReplayed }: Claim): Promise<void> {
  if (isReplayed) return;
  await releaseClaim(ctx, { leaseId: lease.lease_id, fencingToken: lease.fencing_token });
}
