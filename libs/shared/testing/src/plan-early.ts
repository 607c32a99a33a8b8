import { type Database, type DbScope, openDatabase } from '@eas/db';
import { silentLogger } from './secret-watch.ts';

export type Works = [title: string, work: (scope: DbScope) => Promise<unknown>][];

/** Before what `plan` plans: the tables are new, or were vacuumed while they were empty. */
export const emptyTables = (tables: readonly string[]): [string, string][] => [
  ['a new', 'SELECT'],
  ['an empty, vacuumed', `VACUUM ANALYZE ${tables.join(', ')}`],
];

/** Otherwise autovacuum gathers new statistics on a slow machine, and statements are planned once more. */
const statisticsStaySql = `
  DO $$ DECLARE name regclass; BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name);
    END LOOP;
  END $$`;

/** A database of one connection whose plans of these works were made now, and are kept as after the fifth run. */
export async function planEarly(url: string, tenantId: string, works: Works): Promise<Database> {
  const options = { url, poolSize: 1, applicationName: 'test', logger: silentLogger };
  const database = await openDatabase(options);
  await database.db.query(statisticsStaySql, [], { isPrepared: false });
  await database.db.query('SET plan_cache_mode = force_generic_plan', [], { isPrepared: false });
  for (const [, work] of works) await database.inTransaction(tenantId, work);
  return database;
}
