import { tenantSuspended } from '@eas/core';
import type { Tx } from './tx.ts';

/** Suspending it waits for the transaction. */
const reasonSql = 'SELECT suspended_reason AS reason FROM tenants WHERE id = $1 FOR SHARE';

/**
 * For writes that a suspension would change, before they lock rows: a caller may still be admitted for seconds after it.
 * Throws 403 with the reason.
 */
export async function requireActiveTenant({ db, tenantId }: Tx): Promise<void> {
  const [tenant] = await db.query<{ reason: string | null }>(reasonSql, [tenantId]);
  if (tenant?.reason) throw tenantSuspended(tenant.reason);
}
