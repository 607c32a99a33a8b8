import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, dbOn } from '../connection/db.ts';
import { removeInBatches } from '../retention/batches.sweeper.ts';

export type RemoveTenantOptions = {
  /** How long processes may cache the tenant's credentials after their removal. */
  settleMs: number;
};

/** Credentials: without them no process begins anything new for the tenant. */
const credentialTables = ['api_keys', 'sessions', 'access_links', 'oauth_records', 'integrations'];
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
  ORDER BY c.relname = 'audit_log', c.relname`;

/**
 * Runs in batches while the system runs: credentials go first, running work ends. An interrupted run is continued by
 * the next one. Throws when the tenant keeps getting new rows.
 */
export async function removeTenant(url: string, tenantId: string, { settleMs }: RemoveTenantOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // a lost connection, which the next statement reports
  await client.connect();
  const db = dbOn(() => client);
  try {
    // Plans are made for the largest tenant and would read whole tables for a small one.
    await db.query('SET enable_seqscan = off');
    await db.query('UPDATE tenants SET removed_at = coalesce(removed_at, app_now()) WHERE id = $1', [tenantId]);
    const tables = (await db.query<{ name: string }>(tablesSql)).map(({ name }) => name);
    await emptyAll(db, credentialTables, tenantId);
    await sleep(settleMs);
    await emptyAll(db, tables, tenantId);
    await db.query('DELETE FROM tenants WHERE id = $1', [tenantId]);
  } finally {
    await client.end();
  }
}

/** Repeats rounds until one finds no row. Tables that others still refer to are left for the next round. */
async function emptyAll(db: Db, tables: readonly string[], tenantId: string): Promise<void> {
  let last: unknown = new Error('The tenant is still active: new rows keep arriving. Stop its clients and try again.');
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) await sleep(pauseMs);
    let isEmpty = true;
    for (const table of tables) {
      try {
        const removal = { table: pg.escapeIdentifier(table), where: 'tenant_id = $2', values: [tenantId] };
        if ((await removeInBatches(db, removal)) > 0) isEmpty = false;
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
