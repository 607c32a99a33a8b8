import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noEndpoint } from './endpoint.ts';
import { lockEndpoint, markDeleted } from './endpoint.store.ts';

/** What is asked of one endpoint; see assertVersion for `ifMatch`. */
export type EndpointAction = { id: string; ifMatch: readonly number[] | undefined };

/** Removes an endpoint: the row stays, its secrets do not. Throws not_found, 412. */
export async function deleteEndpoint(ctx: UseCaseContext, { id, ifMatch }: EndpointAction): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, id);
    if (!endpoint) throw noEndpoint();
    assertVersion(endpoint.version, ifMatch);
    await markDeleted(tx, id, ctx.clock.now());
  });
}
