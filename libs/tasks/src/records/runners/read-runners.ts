import type { Page, PageOfItems, RunnerResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { pageRunners, type RunnerFilter } from './runner-list.read-model.ts';
import { findRunner } from './runner.store.ts';
import { noSuchRunner, toRunnerResource } from './runner.ts';

/** One runner, where the caller may see all of them or it is of its agent. Throws not_found. */
export async function getRunner(
  ctx: UseCaseContext,
  { runnerId, seesAll }: { runnerId: string; seesAll: boolean },
): Promise<RunnerResource> {
  const runner = await findRunner(ctx, runnerId);
  if (!runner || !(seesAll || runner.agentId === ctx.actor.agentId)) throw noSuchRunner();
  return toRunnerResource(runner);
}

export async function listRunners(
  ctx: UseCaseContext,
  filter: RunnerFilter,
  page: Page,
): Promise<PageOfItems<RunnerResource>> {
  const { items, ...rest } = await pageRunners(ctx, filter, page);
  return { items: items.map(toRunnerResource), ...rest };
}
