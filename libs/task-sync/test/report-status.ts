import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { type PlatformChange, platformChanges } from '@eas/tasks';

/** Sets the status of a task as another platform reports it. */
export async function reportStatus(
  ctx: UseCaseContext,
  taskId: string,
  status: PlatformChange['status'],
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const changes = platformChanges(tx);
    await changes.lock([taskId], [taskId]);
    await changes.apply(contextInTransaction(ctx, tx), { taskId, changes: {}, status });
    changes.save();
  });
}
