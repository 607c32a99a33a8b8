import type { UseCaseContext } from '@eas/db';
import { deleteRunner } from '../records/runners/runner.store.ts';
import { noSuchRunner } from '../records/runners/runner.ts';

/** One that still runs registers again. Throws 404 for an unknown one, and for that of another agent unless `mayAny`. */
export async function removeRunner(
  ctx: UseCaseContext,
  { runnerId, mayAny }: { runnerId: string; mayAny: boolean },
): Promise<void> {
  const { agentId = '' } = ctx.actor;
  if (!(await deleteRunner(ctx, { id: runnerId, ofAgent: mayAny ? null : agentId }))) throw noSuchRunner();
}
