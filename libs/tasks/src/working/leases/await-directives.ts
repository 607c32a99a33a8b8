import type { AcknowledgeBody, LeaseResult } from '@eas/contracts';
import type { NewsWaits, UseCaseContext } from '@eas/db';
import { acknowledgeDirectives } from './acknowledge-directives.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import type { LeaseCall } from './lease-work.ts';

/** A wake-up may be lost; then a waiting call looks again after that long. */
const pollMs = 15_000;

/**
 * Acknowledges directives and, when no others are pending, waits for one: up to `wait_seconds`, while the caller is there
 * and the process goes on. Each look renews the lease. Throws 409 `lease_lost`, also when that happens meanwhile.
 */
export async function awaitDirectives(
  ctx: UseCaseContext,
  waits: NewsWaits,
  { leaseId, body: { wait_seconds: waitSeconds, ...body } }: LeaseCall<AcknowledgeBody>,
): Promise<LeaseResult> {
  const deadline = ctx.clock.monotonicMs() + waitSeconds * 1_000;
  const { taskId, ...first } = await acknowledgeDirectives(ctx, { leaseId, body });
  if (taskId === undefined || first.directives.length > 0 || waitSeconds === 0) return first;
  const seat = waits.enter(ctx.tenantId, taskId);
  try {
    for (;;) {
      // The seat is taken before looking, so that a directive of the meantime is not missed.
      const state = await heartbeatLease(ctx, { leaseId, body: { fencing_token: body.fencing_token } });
      const remaining = deadline - ctx.clock.monotonicMs();
      if (state.directives.length > 0 || remaining <= 0 || ctx.signal.aborted || waits.closing.aborted) return state;
      await seat.rest(Math.min(remaining, pollMs, renewalMs(ctx, state)), ctx.signal);
    }
  } finally {
    seat.leave();
  }
}

/** A third of what is left of the lease. */
const renewalMs = ({ clock }: UseCaseContext, { expires_at: expiresAt }: LeaseResult): number =>
  expiresAt === null ? Infinity : Math.max(0, Date.parse(expiresAt) - clock.now().getTime()) / 3;
