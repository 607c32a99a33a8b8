import type { UseCaseContext } from '@eas/db';
import { holdAll, releaseAll } from './health.store.ts';

/** Nothing is sent to any webhook of the tenant until they are released; what they would get is kept. */
export async function holdEndpoints(ctx: UseCaseContext): Promise<void> {
  await ctx.inTransaction((tx) => holdAll(tx, ctx.clock.now()));
}

/** Sends to held webhooks again, what was kept first. Earlier failures no longer count. */
export async function releaseEndpoints(ctx: UseCaseContext): Promise<void> {
  await ctx.inTransaction((tx) => releaseAll(tx, ctx.clock.now()));
}
