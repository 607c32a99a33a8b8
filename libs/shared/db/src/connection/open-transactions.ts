import type { Db } from './db.ts';

/**
 * Age of the oldest open transaction in this database, in seconds; 0: there is none. Of sessions of other roles it sees
 * those only that the role may see (`pg_read_all_stats`).
 */
export async function oldestTransactionSeconds(db: Db): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(`
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 AS seconds FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
  return row?.seconds ?? 0;
}
