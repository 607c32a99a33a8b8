import { type Database, type DbScope, openDatabase } from '@eas/db';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from './secret-watch.ts';
import { rowsFetchedBy } from './statements/rows-fetched.ts';
import type { TestDatabase } from './test-database.ts';

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

type LateBacklog = {
  works: Works;
  /** That the works read. */
  tables: readonly string[];
  /** Others that are emptied before. */
  emptied: readonly string[];
  /** Makes what the works need to be planned. */
  prepare(tenantId: string): Promise<unknown>;
  fill(tenantId: string): Promise<unknown>;
  /** Rows of each table that a work may read. */
  most(title: string): number;
};

/** Statements that were planned for empty tables read few rows of what has filled these since. */
export function describeLateBacklog(test: TestDatabase, backlog: LateBacklog): void {
  const { works, tables, emptied, prepare, fill, most } = backlog;
  describe.each(emptyTables(tables))(
    'a backlog that came after the statements were planned for %s table',
    (_, vacuum) => {
      let tenantId = '';
      let oneConnection: Database;
      beforeAll(async () => {
        const { db } = test.database;
        await db.query(`TRUNCATE ${[...tables, ...emptied].join(', ')} CASCADE`);
        await db.query(vacuum);
        tenantId = await test.createTenant();
        await prepare(tenantId);
        oneConnection = await planEarly(test.url, tenantId, works);
        await fill(tenantId);
      });
      afterAll(() => oneConnection.close());

      it.each(works)('%s reads no more than it needs', async (title, work) => {
        const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
        for (const table of tables)
          expect([table, Math.max(read[table] ?? 0, most(title))]).toEqual([table, most(title)]);
      });
    },
  );
}
