import type { TenantRetention } from '@eas/contracts';
import type { Db } from '../connection/db.ts';
import { type ArchivedRow, archiveFile } from './archive.ts';
import { inBatches } from './batches.sweeper.ts';

/** Rows that go at an age that each tenant can have of its own. */
export type TenantHistory = {
  table: string;
  days: keyof TenantRetention;
  /** SQL. Rows of the tenant `$1` that are older than `$2` days, found by an index in this order. */
  where: string;
  orderBy: string;
  /** Columns that are not exported. */
  without?: readonly string[];
  /** SQL. Removes rows of the tenant `$1` with ids in `$2`; selects their number as `removed`. */
  removeSql: string;
};

/** Entries of the audit log; the database keeps those of the last 30 days. */
export const auditHistory: TenantHistory = {
  table: 'audit_log',
  days: 'auditDays',
  where: `created_at < app_now() - $2 * interval '1 day'`,
  orderBy: 'created_at, id',
  removeSql: 'SELECT remove_old_audit_entries($1, $2) AS removed',
};

export type TenantHistorySweep = {
  /** Of tenants without a limit of their own; 0 keeps rows for ever. */
  days: number;
  /** Where rows are written before they are removed; undefined: nowhere. */
  exportFolder: string | undefined;
  onRemoved(tenantId: string, rows: number): void;
  /** Ends it between two statements. */
  signal: AbortSignal;
};

const tenantsSql = `
  SELECT id, days FROM (
    SELECT id, coalesce((retention ->> $1)::int, $2) AS days FROM tenants WHERE removed_at IS NULL
  ) AS t WHERE days > 0 ORDER BY id`;

/**
 * Removes old rows of all tenants, after their export. Throws what an export throws; rows that were not exported stay.
 * What is cut off between an export and its removal is exported once more.
 */
export async function sweepTenantHistory(
  db: Db,
  history: TenantHistory,
  { days, signal, onRemoved, ...sweep }: TenantHistorySweep,
): Promise<void> {
  const tenants = await db.query<{ id: string; days: number }>(tenantsSql, [history.days, days]);
  for (const tenant of tenants) {
    if (signal.aborted) return;
    const removed = await sweepTenant(db, history, { tenant, signal, ...sweep });
    if (removed > 0) onRemoved(tenant.id, removed);
  }
}

type TenantSweep = Pick<TenantHistorySweep, 'exportFolder' | 'signal'> & { tenant: { id: string; days: number } };

async function sweepTenant(db: Db, history: TenantHistory, sweep: TenantSweep): Promise<number> {
  const { table, where, orderBy, without = [], removeSql } = history;
  const { tenant, exportFolder, signal } = sweep;
  const file = exportFolder === undefined ? undefined : archiveFile(exportFolder, { tenantId: tenant.id, table });
  const readSql = `
    SELECT id, ${file ? `to_jsonb(r) - '{${without.join()}}'::text[]` : 'NULL'} AS row
    FROM ${table} r WHERE tenant_id = $1 AND ${where} ORDER BY ${orderBy} LIMIT $3`;
  const removeSome = async (limit: number) => {
    const rows = await db.query<ArchivedRow>(readSql, [tenant.id, tenant.days, limit]);
    if (rows.length === 0) return 0;
    await file?.add(rows);
    const [result] = await db.query<{ removed: number }>(removeSql, [tenant.id, rows.map(({ id }) => id)]);
    return result?.removed ?? 0;
  };
  try {
    return await inBatches(removeSome, { signal });
  } finally {
    await file?.close();
  }
}
