import type { UseCaseContext } from '@eas/db';
import { failFor } from '../moves/fail.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';
import { isFinal } from '../records/tasks/task.ts';
import { alterTask } from '../moves/alter-task.ts';
import { endTask } from './move-task.ts';

/** Fails a task that is not in progress, cancels one in progress or in review. False: it is final, and stays so. */
export async function timeOutTask(
  ctx: UseCaseContext,
  { taskId, reason }: { taskId: string; reason: string },
): Promise<boolean> {
  const { changed } = await alterTask(ctx, { taskId, endsLease: true }, async (tx, change) => {
    const { task } = change;
    if (isFinal(task.status)) return;
    if (task.status === 'in_progress' || task.status === 'in_review') return endTask(tx, change, 'cancelled');
    if (task.leaseId !== null) await withdrawLease(tx, change, task.leaseId, 'timed_out');
    failFor(change, reason);
  });
  return changed.length > 0;
}
