import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, dbOn } from '../connection/db.ts';
import { removeInBatches } from '../retention/batches.sweeper.ts';

export type RemoveTenantOptions = {
  /** How long the processes may still know the tenant's credentials after these are gone. */
  settleMs: number;
};

/** What outsiders come in with: without it no process begins anything new for the tenant. */
const credentialTables = ['api_keys', 'sessions', 'access_links', 'oauth_records', 'integrations'];
/** Work that was in hand may meet the removal, or leave a row behind it. */
const maxRounds = 20;
const pauseMs = 250;
/** serialization_failure, deadlock_detected, restrict_violation, foreign_key_violation: what refers to it is still there, or came just now. */
const passing = ['40001', '40P01', '23001', '23503'];

// Partitions by themselves: a place is one row only within them. The audit log goes last.
const tablesSql = `
  SELECT c.relname AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  ORDER BY c.relname = 'audit_log', c.relname`;

/**
 * Runs beside the system, in batches: credentials go first, what is in hand ends. When it is broken off, the next run goes
 * on. Throws when the tenant does not come to rest.
 */
export async function removeTenant(url: string, tenantId: string, { settleMs }: RemoveTenantOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // of a lost connection, which the next statement reports
  await client.connect();
  const db = dbOn(() => client);
  try {
    // Plans are made for the largest tenant, and a small one would be looked for in whole tables.
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

/** Round after round, until one finds none. Tables that others still refer to are left for the next. */
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
