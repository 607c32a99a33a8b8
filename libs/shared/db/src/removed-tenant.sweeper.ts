import type { Db } from './connection/db.ts';
import type { UseCaseContext } from './context.ts';
import { earliestAt } from './earliest-at.sweeper.ts';
import { append } from './transactions/outbox.ts';
import type { Tx } from './transactions/tx.ts';
import { emptyTenant } from './retention/tenant-rows.sweeper.ts';

/** Of the operator, whose tenant has the events about others. */
type Operator = Pick<UseCaseContext, 'db' | 'clock' | 'inTransaction'>;

/** Longer than any process caches a credential or a secret. */
const settledAfterMs = 3_000;

const markSql = 'UPDATE tenants SET removed_at = coalesce(removed_at, app_now()) WHERE id = $1';
const deleteSql = 'DELETE FROM tenants WHERE id = $1 AND removed_at IS NOT NULL RETURNING slug, name, plan';
type RemovalOptions = {
  settleMs?: number;
  signal?: AbortSignal;
  /** In the transaction after which the tenant is no longer used. */
  beforehand?: (tx: Tx) => Promise<void>;
};
type Deleted = { slug: string; name: string; plan: string | null };

/**
 * Removes all rows of a tenant in batches while the system runs, then the tenant. A run that was stopped is continued by
 * the next one. Throws when the tenant keeps getting rows. False: `signal` stopped it.
 */
export async function removeTenant(
  ctx: Operator,
  id: string,
  { settleMs = settledAfterMs, signal, beforehand }: RemovalOptions = {},
): Promise<boolean> {
  await ctx.inTransaction(async (tx) => {
    await beforehand?.(tx);
    await tx.db.query(markSql, [id]);
  });
  if (!(await emptyTenant(ctx.db, id, { settleMs, signal }))) return false;
  await ctx.inTransaction(async (tx) => {
    const [gone] = await tx.db.query<Deleted>(deleteSql, [id]);
    if (gone)
      append(tx, { type: 'tenant.deleted', at: ctx.clock.now(), data: { tenant_id: id, ...gone }, facts: null });
  });
  return true;
}

/** When tenants are to be removed next. */
export const nextRemovalAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT min(removed_at) FROM tenants WHERE removed_at IS NOT NULL');

const removedSql = 'SELECT id FROM tenants WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 100';

/** Removes the tenants that were deleted, one after the other. One that cannot be removed does not hold up the others. */
export async function sweepRemovedTenants(ctx: UseCaseContext, signal: AbortSignal): Promise<void> {
  const { db, logger } = ctx;
  for (const { id } of await db.query<{ id: string }>(removedSql)) {
    if (signal.aborted) return;
    try {
      if (await removeTenant(ctx, id, { signal })) logger.info({ tenant: id }, 'tenant deleted');
    } catch (error) {
      logger.error({ err: error, tenant: id }, 'tenant not deleted yet');
    }
  }
}
