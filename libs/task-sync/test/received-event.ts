import { append, type Database } from '@eas/db';

/** Has the tenant's quarantined receipts applied once more, as a replay does. */
export async function createReceivedEvent({ database }: { database: Database }, tenantId: string): Promise<void> {
  await database.inTransaction(tenantId, async (tx) => {
    const rows = await tx.db.query<{ id: string }>(
      `UPDATE inbound_events SET status = 'received', settled_at = NULL
       WHERE tenant_id = $1 AND status = 'quarantined' RETURNING id`,
      [tenantId],
    );
    for (const { id } of rows)
      append(tx, { type: 'inbound.received', at: new Date(), data: { inbound_event_id: id }, facts: null });
  });
}
