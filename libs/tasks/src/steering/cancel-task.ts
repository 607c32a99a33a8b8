import type { UseCaseContext } from '@eas/db';
import { type Alteration, alterTask } from '../moves/alter-task.ts';
import { endTask } from './move-task.ts';

/** Cancels a task; its agent loses the lease. Throws 409 `state` for a final one, a cancelled one too. */
export async function cancelTask(
  ctx: UseCaseContext,
  { taskId, ifMatch }: Omit<Alteration, 'endsLease'>,
): Promise<void> {
  await alterTask(ctx, { taskId, ifMatch, endsLease: true }, (tx, change) => endTask(tx, change, 'cancelled'));
}
