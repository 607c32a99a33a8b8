import type { AcknowledgeBody, LeaseResult } from '@eas/contracts';
import type { ChangeWaits, UseCaseContext } from '@eas/db';
import { acknowledgeDirectives } from './acknowledge-directives.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import type { LeaseCall } from './lease-work.ts';

/** A wake-up may be lost; then a waiting call reads again after this time. */
const pollMs = 15_000;

/**
 * Acknowledges directives and, if no others are pending, waits for one: up to `wait_seconds`, while the caller is
 * connected and the process runs. Each read renews the lease. Throws 409 `lease_lost`, also if it is lost in the
 * meantime.
 */
export async function awaitDirectives(
  ctx: UseCaseContext,
  waits: ChangeWaits,
  { leaseId, body: { wait_seconds: waitSeconds, ...body } }: LeaseCall<AcknowledgeBody>,
): Promise<LeaseResult> {
  const deadline = ctx.clock.monotonicMs() + waitSeconds * 1_000;
  const { taskId, ...first } = await acknowledgeDirectives(ctx, { leaseId, body });
  if (taskId === undefined || first.directives.length > 0 || waitSeconds === 0) return first;
  const wait = waits.enter(ctx.tenantId, taskId);
  try {
    for (;;) {
      // It is registered before it reads, so that a directive in between is not missed.
      const state = await heartbeatLease(ctx, { leaseId, body: { fencing_token: body.fencing_token } });
      const remaining = deadline - ctx.clock.monotonicMs();
      if (state.directives.length > 0 || remaining <= 0 || ctx.signal.aborted || waits.closing.aborted) return state;
      await wait.sleep(Math.min(remaining, pollMs, renewalMs(ctx, state)), ctx.signal);
    }
  } finally {
    wait.leave();
  }
}

/** A third of what is left of the lease. */
const renewalMs = ({ clock }: UseCaseContext, { expires_at: expiresAt }: LeaseResult): number =>
  expiresAt === null ? Infinity : Math.max(0, Date.parse(expiresAt) - clock.now().getTime()) / 3;
