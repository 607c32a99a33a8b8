import { type Consumer, numbering } from '@eas/contracts';
import { requeueEvents, type UseCaseContext } from '@eas/db';

const takeSql = 'DELETE FROM outbox WHERE tenant_id = $1 AND consumer = $2 RETURNING event_ids AS ids';

/** As if the relay had numbered the tenant's public events, and one who follows them had left all to this consumer. */
export async function leavePublicEvents(ctx: UseCaseContext, consumer: Consumer): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const rows = await tx.db.query<{ ids: string[] }>(takeSql, [tx.tenantId, numbering]);
    await requeueEvents(tx, consumer, { eventIds: rows.flatMap(({ ids }) => ids), afterMs: 0 });
  });
}
