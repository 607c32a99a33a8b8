import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noIntegration } from './integration-errors.ts';
import { lockIntegration, markDeleted } from './integration.store.ts';

/** What is asked of one integration; see assertVersion for `ifMatch`. */
export type IntegrationDeletion = { id: string; ifMatch: readonly number[] | undefined };

/** Disconnects a system for good: the row stays, its secrets do not. Throws not_found, 412. */
export async function deleteIntegration(ctx: UseCaseContext, { id, ifMatch }: IntegrationDeletion): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const integration = await lockIntegration(tx, id);
    if (!integration) throw noIntegration();
    assertVersion(integration.version, ifMatch);
    await markDeleted(tx, id, ctx.clock.now());
  });
}
