import type { LeaseResult, ReleaseBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall } from './lease-work.ts';
import { openAgain } from './open-again.ts';
import { openNotBefore } from './open-not-before.ts';
import { underLease } from './under-lease.ts';
import { dropLease } from './withdraw-lease.ts';

/** An agent gives its task back undone. It counts as no failure. */
export async function releaseTask(ctx: UseCaseContext, call: LeaseCall<ReleaseBody>): Promise<LeaseResult> {
  const { reason, not_before_seconds: seconds } = call.body;
  return underLease(ctx, call, async ({ tx, lease, change }) => {
    dropLease(tx, change, lease.id, 'released');
    lease.state = 'over';
    openAgain(change, reason);
    await openNotBefore(tx, change, seconds * 1_000);
    return {};
  });
}
