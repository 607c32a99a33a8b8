import type { RunnerResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { setDraining } from '../records/runners/runner.store.ts';
import { noSuchRunner, toRunnerResource } from '../records/runners/runner.ts';

/** With its next heartbeat the runner learns that it is to end once it has finished what it works on. Throws 404. */
export async function drainRunner(ctx: UseCaseContext, runnerId: string): Promise<RunnerResource> {
  const runner = await setDraining(ctx, runnerId);
  if (!runner) throw noSuchRunner();
  return toRunnerResource(runner);
}
