import { type DbScope, rowByKeySql, type Tx } from '@eas/db';
import type { InboundSource, InboundStatus } from './inbound-event.ts';

/** A receipt that is held until the transaction ends. */
export type LockedReceipt = {
  id: string;
  source: InboundSource;
  event: string;
  status: InboundStatus;
  hasBody: boolean;
};

const byKey = { from: 'inbound_events', where: 'tenant_id = $1 AND id = wanted.id' };
const lockedColumns = 'id, source, event, status, body IS NOT NULL AS "hasBody"';

// Locked in the order in which repeats are counted and results are written.
const lockSql = `
  WITH wanted AS MATERIALIZED (
    SELECT wanted.id FROM unnest($2::text[]) AS wanted (id)
    ${rowByKeySql('sorted', byKey)} ORDER BY integration_ref, dedupe_key COLLATE "C"
  )
  SELECT locked.* FROM wanted
  ${rowByKeySql('locked', { ...byKey, select: lockedColumns, lock: 'FOR UPDATE' })}`;

export function lockReceipts({ db, tenantId }: Tx, ids: readonly string[]): Promise<LockedReceipt[]> {
  return db.query<LockedReceipt>(lockSql, [tenantId, ids]);
}

const setBackSql = `
  UPDATE inbound_events SET status = 'received', settled_at = NULL, outcome = NULL
  WHERE tenant_id = $1 AND id = ANY ($2)`;

/** Sets locked receipts, which have bodies, back to what they were when they came. */
export async function setReceived({ db, tenantId }: DbScope, ids: readonly string[]): Promise<void> {
  await db.query(setBackSql, [tenantId, ids]);
}
