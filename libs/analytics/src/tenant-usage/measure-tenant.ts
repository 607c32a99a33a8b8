import { defaultTenantId } from '@eas/contracts';
import { append, type DbScope, type Tx } from '@eas/db';
import { readOpenMonths } from './open-months.read-model.ts';
import { isTenant } from './operator-usage.read-model.ts';
import { closeUsage, isMonthHandled, measureUsage } from './tenant-usage.store.ts';
import { countUsageRows } from './usage-count.store.ts';
import { figuresOf } from './usage-row.ts';

/**
 * Measures the open months of a tenant, and closes those that are over, in the transaction. Returns whether there is more to
 * count.
 */
export async function measureTenant(tx: Tx, tenantId: string): Promise<boolean> {
  const scope = { db: tx.db, tenantId };
  let hasMore = false;
  for (const { month, isOver } of await readOpenMonths(scope)) {
    const isBehind = await countUsageRows(scope, { month, pass: isOver ? 2 : 1 });
    await measureUsage(scope, month);
    if (isOver && !isBehind && (await isMonthHandled(scope, month))) await close(tx, scope, month);
    hasMore ||= isBehind;
  }
  return hasMore;
}

/** Chunks of rows that a deletion counts at most: a caller waits for it. */
const lastChunks = 20;

/** Closes all months of a tenant that is about to be deleted, with what can be counted by then. */
export async function closeTenantUsage(tx: Tx, tenantId: string): Promise<void> {
  const scope = { db: tx.db, tenantId };
  if (!(await isTenant(scope, tenantId))) return;
  for (let chunk = 0; chunk < lastChunks && (await measureTenant(tx, tenantId)); chunk += 1);
  for (const { month } of await readOpenMonths(scope)) await close(tx, scope, month);
}

/** The event goes to the operator, who bills the tenant. A month without usage has none. */
async function close(tx: Tx, scope: DbScope, month: string): Promise<void> {
  const usage = await closeUsage(scope, month);
  if (!usage) return;
  const figures = figuresOf(usage);
  if (Object.values(figures).every((figure) => !figure)) return;
  const { slug, name, closedAt } = usage;
  append(
    { ...tx, tenantId: defaultTenantId },
    {
      type: 'tenant.usage_recorded',
      at: closedAt,
      data: { tenant_id: scope.tenantId, slug, name, month: usage.month, ...figures },
      facts: null,
    },
  );
}
