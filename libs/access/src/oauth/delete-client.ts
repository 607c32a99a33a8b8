import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { noClient } from './client.ts';
import { lockClient, markDeleted } from './client.store.ts';
import { deleteRecordsOfClient } from './record.store.ts';

/** Deletes a client and all that it was granted: its tokens are refused within two seconds. */
export async function deleteClient(
  ctx: UseCaseContext,
  { id, ifMatch }: { id: string; ifMatch: readonly number[] | undefined },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const client = await lockClient(tx, id);
    if (!client) throw noClient();
    assertVersion(client.version, ifMatch);
    await markDeleted(tx, id, ctx.clock.now());
    await deleteRecordsOfClient(tx, id);
    await recordAudit(tx, ctx.actor, { action: 'oauth_client.deleted', target: id, data: { name: client.name } });
    tx.notify('access', id);
  });
}
