import type { UseCaseContext } from '@eas/db';
import { freeSlot } from '../agents/agent.store.ts';
import { endLease, lockLease } from './lease.store.ts';
import { changeTask } from '../tasks/task-change.ts';
import { lockTask } from '../tasks/task.store.ts';

/** Gives back a claim that its agent never heard of: no lease was lost, no work begun. Nothing when it is not held any more. */
export async function releaseClaim(
  ctx: UseCaseContext,
  { leaseId, fencingToken }: { leaseId: string; fencingToken: number },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const lease = await lockLease(tx, leaseId);
    if (!lease?.isLive || lease.fencingToken !== fencingToken) return;
    const task = await lockTask(tx, lease.taskId);
    if (task?.leaseId !== leaseId) return;
    const change = changeTask(tx, task, { at: ctx.clock.now(), actor: 'system' });
    change.move('open');
    task.leaseId = null;
    task.fencingToken += 1;
    if (task.firstClaimedAt?.getTime() === lease.startedAt.getTime()) task.firstClaimedAt = null;
    change.emit('task.updated', { from: 'in_progress', to: 'open', changed: ['status'] });
    await change.save();
    await endLease(tx, leaseId, 'returned');
    await freeSlot(tx, lease.agentId);
  });
}
