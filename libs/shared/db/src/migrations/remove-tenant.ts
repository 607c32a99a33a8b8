import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type RemoveTenantOptions = {
  /** How long the processes may still know the tenant's credentials after these are gone. */
  settleMs: number;
};

/** What outsiders come in with: without it no process begins anything new for the tenant. */
const doors = ['api_keys', 'sessions', 'access_links', 'oauth_records', 'integrations'];
/** Work that was in hand may meet the removal, or leave a row behind it. */
const maxRounds = 10;
const pauseMs = 500;
/** serialization_failure, deadlock_detected, foreign_key_violation: somebody was faster. */
const passing = ['40001', '40P01', '23503'];

const tablesSql = `
  SELECT c.relname AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND c.relname <> 'audit_log' ORDER BY 1`;

/** Runs beside the system: credentials go first, what is in hand ends. Throws when the tenant does not come to rest. */
export async function removeTenant(url: string, tenantId: string, { settleMs }: RemoveTenantOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(tablesSql);
    const tables = rows.map(({ name }) => name);
    await retried(() => deleteFrom(client, doors, tenantId));
    await sleep(settleMs);
    await retried(() => deleteFrom(client, tables, tenantId));
    await retried(() => deleteItself(client, tenantId));
  } finally {
    await client.end();
  }
}

/** One statement, whatever references what: keys are checked when all of it is done. Gives how many rows there were. */
async function deleteFrom(client: pg.Client, tables: readonly string[], tenantId: string): Promise<number> {
  const names = tables.map((name) => pg.escapeIdentifier(name));
  const parts = names.map((name, at) => `d${at} AS (DELETE FROM ${name} WHERE tenant_id = $1 RETURNING 1)`);
  const counts = names.map((_, at) => `(SELECT count(*) FROM d${at})`);
  const sql = `WITH ${parts.join(', ')} SELECT (${counts.join(' + ')})::float8 AS count`;
  const { rows } = await client.query<{ count: number }>(sql, [tenantId]);
  return rows[0]?.count ?? 0;
}

/** Its audit log is append-only for everybody else, and locked for the moment that this takes. */
async function deleteItself(client: pg.Client, tenantId: string): Promise<number> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = '5s'`);
    await client.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only');
    await client.query('DELETE FROM audit_log WHERE tenant_id = $1', [tenantId]);
    await client.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only');
    await client.query('DELETE FROM tenants WHERE id = $1', [tenantId]);
    await client.query('COMMIT');
    return 0;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Until it gives 0, passing failures aside. */
async function retried(work: () => Promise<number>): Promise<void> {
  let last: unknown = new Error('The tenant is still active: new rows keep arriving. Stop its clients and try again.');
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) await sleep(pauseMs);
    try {
      if ((await work()) === 0) return;
    } catch (error) {
      if (!passing.includes((error as { code?: string }).code ?? '')) throw error;
      last = error;
    }
  }
  throw last;
}
