import type { RunnerResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { setDraining } from '../records/runners/runner.store.ts';
import { noSuchRunner, toRunnerResource } from '../records/runners/runner.ts';

/** The runner's next heartbeat tells it to end after its current work. Throws 404. */
export async function drainRunner(ctx: UseCaseContext, runnerId: string): Promise<RunnerResource> {
  const runner = await setDraining(ctx, runnerId);
  if (!runner) throw noSuchRunner();
  return toRunnerResource(runner);
}
