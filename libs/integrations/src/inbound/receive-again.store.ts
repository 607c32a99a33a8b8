import type { DbScope, Tx } from '@eas/db';
import type { InboundSource, InboundStatus } from './inbound-event.ts';

/** A receipt that is held until the transaction ends. */
export type LockedReceipt = {
  id: string;
  source: InboundSource;
  event: string;
  status: InboundStatus;
  hasBody: boolean;
};

/** Each is found by its key, whatever the planner thinks of their number. */
const oneSql = (columns: string, lock = '') =>
  `LATERAL (SELECT ${columns} FROM inbound_events WHERE tenant_id = $1 AND id = wanted.id LIMIT 1 ${lock})`;

// Locked in the order in which repeats are counted and results are written.
const lockSql = `
  WITH wanted AS MATERIALIZED (
    SELECT wanted.id FROM unnest($2::text[]) AS wanted (id)
    CROSS JOIN ${oneSql('integration_ref, dedupe_key')} AS sorted ORDER BY integration_ref, dedupe_key COLLATE "C"
  )
  SELECT locked.* FROM wanted
  CROSS JOIN ${oneSql('id, source, event, status, body IS NOT NULL AS "hasBody"', 'FOR UPDATE')} AS locked`;

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
