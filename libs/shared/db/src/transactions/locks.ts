import type { Db, DbScope } from '../connection/db.ts';
import { sqlStateOf } from '../connection/sql-error.ts';

type LockedTable =
  | 'users'
  | 'api_keys'
  | 'oauth_clients'
  | 'integrations'
  | 'workflows'
  | 'projects'
  | 'profiles'
  | 'permission_policies'
  | 'budgets'
  | 'endpoints';

/** Locks a row until the transaction ends. Read it afterwards: it may have changed during the wait. */
export async function lockRow({ db, tenantId }: DbScope, table: LockedTable, id: string): Promise<void> {
  await db.query(`SELECT FROM ${table} WHERE tenant_id = $1 AND id = $2 FOR UPDATE`, [tenantId, id]);
}

/** Locks something that is not a row, such as a number of rows, until the transaction ends. */
export const lockName = (scope: DbScope, name: string): Promise<void> => lockNames(scope, [name]);

const lockNamesSql = `
  SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended(name || ' ' || $1, 0) AS key FROM unnest($2::text[]) AS name ORDER BY key
  ) AS named`;

/** The same for several names, in one statement and always in the same order, so that transactions do not deadlock. */
export async function lockNames({ db, tenantId }: DbScope, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.query(lockNamesSql, [tenantId, names]);
}

const tryLockSql = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isFree"`;

/** The same without waiting, for a name that is unique across tenants. False: another transaction holds it. */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  const [row] = await db.query<{ isFree: boolean }>(tryLockSql, [name]);
  return row?.isFree === true;
}

const lockNotAvailable = '55P03';

/**
 * Does work that a process needs to start, and retries for up to `patienceMs` while others that start at the same time
 * hold its locks. Statements wait for a lock for only 2 s, which suits requests; here the process would end.
 */
export async function whenFree<T>(work: () => Promise<T>, patienceMs = 60_000): Promise<T> {
  for (const deadline = performance.now() + patienceMs; ;)
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== lockNotAvailable || performance.now() > deadline) throw error;
    }
}
