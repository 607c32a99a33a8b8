import type { Database, Db, DbScope } from '@eas/db';
import type { RowsRead } from './rows-read.ts';

/**
 * Runs work in a transaction and counts the rows that Postgres read for it, by table, with whatever plans its connection
 * keeps. Partitions count for their table.
 */
export async function rowsFetchedBy(
  { database, tenantId }: { database: Database; tenantId: string },
  work: (scope: DbScope) => Promise<unknown>,
): Promise<RowsRead> {
  return database.inTransaction(tenantId, async (scope) => {
    const before = await readFetched(scope.db);
    await work(scope);
    const after = await readFetched(scope.db);
    return Object.fromEntries(Object.entries(after).map(([table, read]) => [table, read - (before[table] ?? 0)]));
  });
}

/** Not only of this transaction: what Postgres has not yet added to its statistics counts as well. */
const fetchedSql = `
  SELECT regexp_replace(relname, '_(default|\\d{4}_?\\d{2})$', '') AS table,
    sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
  FROM pg_stat_xact_user_tables GROUP BY 1`;

async function readFetched(db: Db): Promise<RowsRead> {
  const rows = await db.query<{ table: string; read: number }>(fetchedSql);
  return Object.fromEntries(rows.map(({ table, read }) => [table, read]));
}
