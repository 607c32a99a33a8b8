// However a migration is interrupted, the next run continues from its state.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withScratchDatabase } from './admin.ts';
import { migrate } from './migrate.ts';
import { withSchemaEngine } from './schema-engine.ts';

const test = useTestDatabase();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eas-migrations-'));
  write('1_tables', 'CREATE TABLE a (id int);');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function withMigrated(work: (url: string, watcher: pg.Client) => Promise<void>): Promise<void> {
  await withScratchDatabase(test.url, async (url) => {
    await migrate(url, { folder });
    const watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
    await work(url, watcher).finally(() => watcher.end());
  });
}

const sleeping = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
const untilItSleeps = (watcher: pg.Client) =>
  eventually(async () => (await watcher.query(`SELECT ${sleeping}`)).rows.length > 0);
const rowsOf = async (watcher: pg.Client, name: string) =>
  (
    await watcher.query<{ isFinished: boolean }>(
      'SELECT finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations WHERE migration_name = $1',
      [name],
    )
  ).rows;

describe('a migration that is interrupted', () => {
  it('by the loss of its connection leaves nothing, reports that in one line, and is applied by the next run', async () => {
    await withMigrated(async (url, watcher) => {
      write('2_more', 'CREATE TABLE c (id int); SELECT pg_sleep(60);');
      const migrating = migrate(url, { folder }).catch((error: Error) => error.message);
      await untilItSleeps(watcher);
      expect(await rowsOf(watcher, '2_more')).toEqual([]);
      await watcher.query(`SELECT pg_terminate_backend(pid) ${sleeping}`);
      expect(await migrating).toBe(
        'The connection to Postgres was lost: terminating connection due to administrator command. Run db:migrate again; it goes on there.',
      );
      write('2_more', 'CREATE TABLE c (id int);');
      expect(await migrate(url, { folder })).toEqual(['2_more']);
      expect(await rowsOf(watcher, '2_more')).toEqual([{ isFinished: true }]);
    });
  });

  it('by the end of its process may still run in the server: the next run waits for it, and does not repeat it', async () => {
    await withMigrated(async (url, watcher) => {
      await watcher.query('CREATE TABLE ends (id int)');
      // Until another session has waited for it, however long that takes.
      const wait = 'BEGIN WHILE NOT EXISTS (SELECT FROM ends) LOOP PERFORM pg_sleep(0.1); END LOOP; END';
      write('2_more', `CREATE TABLE c (id int); DO $$ ${wait} $$;`);
      const program = `const { migrate } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))});
        await migrate(${JSON.stringify(url)}, { folder: ${JSON.stringify(folder)} });`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
      await untilItSleeps(watcher);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const said: string[] = [];
      const onWait = (sentence: string) => {
        said.push(sentence);
        void watcher.query('INSERT INTO ends VALUES (1)');
      };
      expect(await migrate(url, { folder, onWait, sayAfterMs: 300 })).toEqual([]);
      expect(said).toEqual(['another migration of this database is running; waiting for its end']);
      expect(await rowsOf(watcher, '2_more')).toEqual([{ isFinished: true }]);
      await watcher.query('SELECT FROM c');
    });
  });

  it('by an error leaves nothing, and is applied once the error is gone', async () => {
    await withMigrated(async (url, watcher) => {
      write('2_more', 'CREATE TABLE c (id int); SELECT 1 / 0 -- no semicolon');
      await expect(migrate(url, { folder })).rejects.toThrow(
        '2_more was not applied: division by zero. Nothing of it remains.',
      );
      expect(await rowsOf(watcher, '2_more')).toEqual([]);
      write('2_more', 'CREATE TABLE c (id int) -- no semicolon');
      expect(await migrate(url, { folder })).toEqual(['2_more']);
    });
  });
});

describe('a migration that an older release began and did not end', () => {
  const begin = (watcher: pg.Client, logs: string | null) =>
    watcher.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('1', '', '2_more', $1)`,
      [logs],
    );

  it('is not repeated if it may have been applied: one line says what to do', async () => {
    await withMigrated(async (url, watcher) => {
      write('2_more', 'CREATE TABLE c (id int);');
      await begin(watcher, null);
      const message = await migrate(url, { folder }).catch((error: Error) => error.message);
      expect(message).toMatch(/^The migration 2_more was interrupted under an older release, .*db:migrate again\.$/);
      const [statement = ''] = /UPDATE .* IS NULL(?=;)/.exec(String(message)) ?? [];
      await watcher.query(statement.replace('finished_at', 'rolled_back_at'));
      expect(await migrate(url, { folder })).toEqual(['2_more']);
    });
  });

  it('is applied again if the release recorded that it failed', async () => {
    await withMigrated(async (url, watcher) => {
      write('2_more', 'CREATE TABLE c (id int);');
      await begin(watcher, 'relation "b" does not exist');
      expect(await migrate(url, { folder })).toEqual(['2_more']);
    });
  });
});

describe('a migrated database', () => {
  it('is accepted by Prisma: nothing is missing and nothing was edited', async () => {
    await withMigrated(async (url) => {
      const script = 'CREATE TABLE a (id int);';
      const content = { tag: 'ok' as const, value: script };
      const migrationsList = {
        baseDir: folder,
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: [{ path: '1_tables', migrationFile: { path: 'migration.sql', content } }],
      };
      const filters = { externalTables: [], externalEnums: [] };
      await withSchemaEngine(url, undefined, async (engine) => {
        const found = await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: false });
        expect(found).toMatchObject({
          editedMigrationNames: [],
          failedMigrationNames: [],
          hasMigrationsTable: true,
          history: null,
        });
        expect(await engine.applyMigrations({ migrationsList, filters })).toEqual({ appliedMigrationNames: [] });
      });
    });
  });

  it('is not created in a database with foreign tables', async () => {
    await withScratchDatabase(test.url, async (url) => {
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query('CREATE TABLE theirs (id int)').finally(() => other.end());
      await expect(migrate(url, { folder })).rejects.toThrow('The database has 1 tables but no _prisma_migrations');
    });
  });
});
