import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Db } from '../connection/db.ts';
import { inBatches, removeInBatches } from './batches.sweeper.ts';

export type EmptyTenantOptions = {
  /** How long processes may cache the tenant's credentials after their removal. */
  settleMs: number;
  /** Ends it between two statements. */
  signal?: AbortSignal | undefined;
};

/** Credentials: without them no process begins anything new for the tenant. */
const credentialTables = ['api_keys', 'sessions', 'access_links', 'oauth_records', 'integrations'];
const auditLog = 'audit_log';
/** Running work may collide with the removal, or leave a row behind. */
const maxRounds = 20;
const pauseMs = 250;
/**
 * serialization_failure, deadlock_detected, restrict_violation, foreign_key_violation: a referring row still exists, or
 * was just added.
 */
const passing = ['40001', '40P01', '23001', '23503'];

// Each partition by itself, since a ctid is unique only within one. The audit log is last.
const tablesSql = `
  SELECT c.relname AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  ORDER BY c.relname = '${auditLog}', c.relname`;

/**
 * Removes all rows of a tenant whose `removed_at` is set, in batches while the system runs: credentials go first,
 * running work ends. A run that was stopped is continued by the next one. Throws when the tenant keeps getting new rows.
 * False: `signal` stopped it.
 */
export async function emptyTenant(
  db: Db,
  tenantId: string,
  { settleMs, signal }: EmptyTenantOptions,
): Promise<boolean> {
  const tables = (await db.query<{ name: string }>(tablesSql)).map(({ name }) => name);
  await emptyAll(db, credentialTables, { tenantId, signal });
  await sleep(settleMs, undefined, { signal }).catch(() => {});
  await emptyAll(db, tables, { tenantId, signal });
  return !signal?.aborted;
}

type Rows = { tenantId: string; signal: AbortSignal | undefined };

/** Repeats rounds until one finds no row. Tables that others still refer to are left for the next round. */
async function emptyAll(db: Db, tables: readonly string[], rows: Rows): Promise<void> {
  let last: unknown = new Error('The tenant is still active: new rows keep arriving. Stop its clients and try again.');
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) await sleep(pauseMs);
    let isEmpty = true;
    for (const table of tables) {
      if (rows.signal?.aborted) return;
      try {
        if ((await emptyTable(db, table, rows)) > 0) isEmpty = false;
      } catch (error) {
        if (!passing.includes((error as { code?: string }).code ?? '')) throw error;
        last = error;
        isEmpty = false;
      }
    }
    if (isEmpty) return;
  }
  throw last;
}

const auditSql = 'SELECT remove_audit_entries($1, $2) AS removed';

function emptyTable(db: Db, table: string, { tenantId, signal }: Rows): Promise<number> {
  if (table !== auditLog)
    return removeInBatches(db, {
      table: pg.escapeIdentifier(table),
      where: 'tenant_id = $2',
      values: [tenantId],
      signal,
    });
  // The role of the apps must not delete from it.
  const removeSome = async (limit: number) => {
    const [row] = await db.query<{ removed: number }>(auditSql, [tenantId, limit]);
    return row?.removed ?? 0;
  };
  return inBatches(removeSome, { signal });
}
