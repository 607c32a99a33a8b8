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

/** Holds a row until the transaction ends. Read it afterwards: it may have changed while this waited. */
export async function lockRow({ db, tenantId }: DbScope, table: LockedTable, id: string): Promise<void> {
  await db.query(`SELECT FROM ${table} WHERE tenant_id = $1 AND id = $2 FOR UPDATE`, [tenantId, id]);
}

/** Holds what is no row, such as a number of rows, until the transaction ends. */
export const lockName = (scope: DbScope, name: string): Promise<void> => lockNames(scope, [name]);

const lockNamesSql = `
  SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended(name || ' ' || $1, 0) AS key FROM unnest($2::text[]) AS name ORDER BY key
  ) AS named`;

/** The same for several names, in one statement and in the same order for every transaction: they do not deadlock. */
export async function lockNames({ db, tenantId }: DbScope, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.query(lockNamesSql, [tenantId, names]);
}

const tryLockSql = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isFree"`;

/** The same without waiting, for a name that says all of what it is of. False: another transaction holds it. */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  const [row] = await db.query<{ isFree: boolean }>(tryLockSql, [name]);
  return row?.isFree === true;
}

const lockNotAvailable = '55P03';

/**
 * Does what a process needs to start, again as long as others that start at the same time hold its locks, `patienceMs` at
 * most. Statements wait for a lock for 2 s only, which is for requests; a process that gave up then would end.
 */
export async function whenFree<T>(work: () => Promise<T>, patienceMs = 60_000): Promise<T> {
  for (const deadline = performance.now() + patienceMs; ;)
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== lockNotAvailable || performance.now() > deadline) throw error;
    }
}
