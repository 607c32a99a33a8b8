import type { UseCaseContext } from '@eas/db';
import { startChange } from '../../moves/task-change.ts';
import { lockTask } from '../../records/tasks/task.store.ts';
import { lockLease } from '../../records/leases/lease.store.ts';
import { dropLease } from '../../moves/withdraw-lease.ts';

/**
 * Releases a claim that its agent never received: no lease was lost, no work begun. Does nothing if it is no longer
 * held.
 */
export async function releaseClaim(
  ctx: UseCaseContext,
  { leaseId, fencingToken }: { leaseId: string; fencingToken: number },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const lease = await lockLease(tx, leaseId);
    if (lease?.state !== 'running' || lease.fencingToken !== fencingToken || lease.isClaimedAgain) return;
    const task = await lockTask(tx, lease.taskId);
    if (task?.leaseId !== leaseId) return;
    const change = startChange(tx, task, { at: ctx.clock.now(), actor: 'system' });
    change.move('open');
    dropLease(tx, change, leaseId, 'returned');
    if (task.firstClaimedAt?.getTime() === lease.startedAt.getTime()) task.firstClaimedAt = null;
    change.emit('task.updated', { from: 'in_progress', to: 'open', changed: ['status'] });
    change.save();
  });
}
