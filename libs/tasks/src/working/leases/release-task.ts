import type { LeaseResult, ReleaseBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall } from './lease-work.ts';
import { yieldTask, openAgain, openNotBefore } from '../../moves/open-again.ts';
import { underLease } from './under-lease.ts';
import { dropLease } from '../../moves/withdraw-lease.ts';

/**
 * An agent gives its task back unfinished. This is not counted as a failure, and the agent is the last to get the task
 * again.
 */
export async function releaseTask(ctx: UseCaseContext, call: LeaseCall<ReleaseBody>): Promise<LeaseResult> {
  const { reason, not_before_seconds: seconds } = call.body;
  return underLease(ctx, call, async ({ tx, lease, task, change }) => {
    dropLease(tx, change, lease.id, 'released');
    lease.state = 'over';
    openAgain(change, reason);
    task.lostBy = lease.agentId;
    if (seconds === undefined) await yieldTask(tx, change, lease.agentId);
    else await openNotBefore(tx, change, seconds * 1_000);
    return {};
  });
}
