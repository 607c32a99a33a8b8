import type { ClaimResult } from '@eas/contracts';
import type { Listener, UseCaseContext } from '@eas/db';
import { findAgent } from '../agents/agent.read-model.ts';
import { type ClaimInput, claimTask } from './claim-task.ts';
import { releaseClaim } from './release-claim.ts';
import { isMeant, workKey } from './work-key.ts';

/** A wake-up may be lost; then a waiting claim looks again after that long. */
const pollMs = 30_000;

/** Claims waiting in this process, by tenant and role. A waiting claim holds no database connection. */
export type WaitingRoom = {
  /** Resolves at the next wake-up of the key, after `ms` or when the signal aborts, whichever comes first. */
  wait(key: string, ms: number, signal: AbortSignal): { until: Promise<void>; leave(): void };
  /** Aborts when the process shuts down: whoever waits is sent away. */
  closing: AbortSignal;
};

export function createWaitingRoom(listener: Listener, closing: AbortSignal): WaitingRoom {
  const waiting = new Map<string, Set<() => void>>();
  closing.addEventListener('abort', () => {
    for (const wakes of waiting.values()) for (const wake of [...wakes]) wake();
  });
  listener.on('work', (key) => {
    for (const [own, wakes] of waiting) if (isMeant(own, key)) for (const wake of [...wakes]) wake();
  });
  return {
    closing,
    wait(key, ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wakes = waiting.get(key) ?? new Set();
      waiting.set(key, wakes.add(resolve));
      const timer = setTimeout(resolve, ms);
      const wake = () => resolve();
      signal.addEventListener('abort', wake, { once: true });
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        wakes.delete(resolve);
        if (wakes.size === 0) waiting.delete(key);
      };
      return { until: promise, leave };
    },
  };
}

/** Claims a task, waiting up to `waitMs` for one to come. Undefined: none came, or the caller went away. */
export async function waitForClaim(
  ctx: UseCaseContext,
  room: WaitingRoom,
  { waitMs, ...input }: ClaimInput & { waitMs: number },
): Promise<ClaimResult | undefined> {
  const deadline = ctx.clock.monotonicMs() + waitMs;
  const agent = await findAgent(ctx, input.agentId);
  for (;;) {
    const remaining = deadline - ctx.clock.monotonicMs();
    if (!agent || remaining <= 0 || room.closing.aborted) return claimIfHeard(ctx, input);
    // Waiting begins before looking, so that a task made in between is not missed.
    const turn = room.wait(workKey(ctx.tenantId, agent.role), Math.min(remaining, pollMs), ctx.signal);
    try {
      const claimed = await claimIfHeard(ctx, input);
      if (claimed || ctx.signal.aborted) return claimed;
      await turn.until;
    } finally {
      turn.leave();
    }
  }
}

/** Claims nothing for a caller that is gone, and gives back what was claimed while it went. */
async function claimIfHeard(ctx: UseCaseContext, input: ClaimInput): Promise<ClaimResult | undefined> {
  if (ctx.signal.aborted) return undefined;
  const claimed = await claimTask(ctx, input);
  if (!claimed || !ctx.signal.aborted) return claimed;
  const { lease_id: leaseId, fencing_token: fencingToken } = claimed.lease;
  await releaseClaim(ctx, { leaseId, fencingToken });
  return undefined;
}
