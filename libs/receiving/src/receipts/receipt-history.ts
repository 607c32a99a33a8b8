import type { TenantHistory } from '@eas/db';

/** Receipts; those that are still to be processed stay. Bodies have a limit of their own, and are not exported. */
export const receiptHistory: TenantHistory = {
  table: 'inbound_events',
  days: 'receiptDays',
  where: `id < 'inb_' || ulid_prefix(app_now() - $2 * interval '1 day') AND status <> 'received'`,
  orderBy: 'id',
  without: ['body'],
  removeSql: `
    WITH gone AS (DELETE FROM inbound_events WHERE tenant_id = $1 AND id = ANY($2) RETURNING 1)
    SELECT count(*)::int AS removed FROM gone`,
};
