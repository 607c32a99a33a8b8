import type { UseCaseContext } from '@eas/db';
import { recordHeartbeat } from '../../records/runners/runner.store.ts';
import { noSuchRunner } from '../../records/runners/runner.ts';

/**
 * Records that a runner is alive and how many tasks it works on. Throws 404 for an unknown one, and for that of another
 * agent.
 */
export async function sendRunnerHeartbeat(
  ctx: UseCaseContext,
  { runnerId, running }: { runnerId: string; running: number },
): Promise<{ drain: boolean }> {
  const { isAdmin, agentId = '' } = ctx.actor;
  const runner = await recordHeartbeat(ctx, { id: runnerId, ofAgent: isAdmin ? null : agentId }, running);
  if (!runner) throw noSuchRunner();
  return { drain: runner.isDraining };
}
