import type { Database, Db, DbScope, Tx } from '@eas/db';
import type { RowsRead } from './rows-read.ts';

/**
 * Runs work in a transaction and counts the rows that Postgres read for it, by table, with the cached plans of its
 * connection. Partitions count for their table.
 */
export async function rowsFetchedBy(
  { database, tenantId }: { database: Database; tenantId: string },
  work: (scope: DbScope) => Promise<unknown>,
): Promise<RowsRead> {
  return database.inTransaction(tenantId, (scope) => differenceBy(scope.db, fetchedSql, () => work(scope)));
}

/**
 * Runs work in a transaction and counts the pages of tables and their indexes that Postgres read for it, by table, with
 * generic plans, as they are cached. Partitions count for their table.
 */
export async function pagesFetchedBy(
  { database, tenantId }: { database: Database; tenantId: string },
  work: (tx: Tx) => Promise<unknown>,
): Promise<RowsRead> {
  return database.inTransaction(tenantId, async (tx) => {
    await tx.db.query('SET LOCAL plan_cache_mode = force_generic_plan');
    return differenceBy(tx.db, pagesSql, () => work(tx));
  });
}

async function differenceBy(db: Db, sql: string, work: () => Promise<unknown>): Promise<RowsRead> {
  const before = await readFetched(db, sql);
  await work();
  const after = await readFetched(db, sql);
  return Object.fromEntries(Object.entries(after).map(([table, read]) => [table, read - (before[table] ?? 0)]));
}

/** Not only of this transaction: includes what Postgres has not yet added to its statistics. */
const fetchedSql = `
  SELECT regexp_replace(relname, '_(default|\\d{4}_?\\d{2})$', '') AS table,
    sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
  FROM pg_stat_xact_user_tables GROUP BY 1`;

const pagesSql = `
  SELECT regexp_replace(t.relname, '_(default|\\d{4}_?\\d{2})$', '') AS table,
    sum(pg_stat_get_xact_blocks_fetched(c.oid))::int AS read
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = coalesce(i.indrelid, c.oid)
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i') GROUP BY 1`;

async function readFetched(db: Db, sql: string): Promise<RowsRead> {
  const rows = await db.query<{ table: string; read: number }>(sql);
  return Object.fromEntries(rows.map(({ table, read }) => [table, read]));
}
