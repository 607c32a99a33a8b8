import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@eas/core';
import pg from 'pg';
import { builtConcurrently, isLockTimeout, takeMigrationLock } from './migration-locks.ts';
import { prismaFolder } from './migration-state.ts';
import { withSchemaEngine } from './schema-engine.ts';

const filters = { externalTables: [], externalEnums: [] };

export type MigrateOptions = {
  /** Told why it goes on later, each time that a table is not free for 3 s. */
  onWait?: (sentence: string) => void;
  /** How often a migration is tried whose tables are not free, and the time between. */
  tries?: number;
  pauseMs?: number;
  /** With a folder for each migration. */
  folder?: string;
};

/**
 * Applies the migrations that the database lacks, as `prisma migrate deploy` would. Returns their names. Throws a
 * StartError when the tables of one are in use for too long; what was applied before it stays.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = join(prismaFolder, 'migrations') } = options;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await takeMigrationLock(client);
    const migrationsList = await readMigrations(folder);
    const before = await namesOf(client, 'finished_at IS NOT NULL');
    await removeHalfBuilt(url, client, migrationsList);
    await applyPatiently(url, client, migrationsList, options);
    return (await namesOf(client, 'finished_at IS NOT NULL')).filter((name) => !before.includes(name));
  } finally {
    await client.end();
  }
}

type MigrationsList = Awaited<ReturnType<typeof readMigrations>>;

async function applyPatiently(
  url: string,
  client: pg.Client,
  migrationsList: MigrationsList,
  { onWait = () => {}, tries = 20, pauseMs = 10_000 }: MigrateOptions,
): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await withSchemaEngine(url, undefined, async (engine) => {
        await engine.applyMigrations({ migrationsList, filters });
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const [name = ''] = await namesOf(client, unfinished);
      await forget(url, name);
      if (left === 0)
        throw new StartError(
          `${name} was not applied: another transaction, such as a backup, uses a table that it changes. Run db:migrate again when that has ended.`,
          error,
        );
      onWait(`${name} waits for a table that another transaction uses; trying again in ${pauseMs / 1_000} s`);
      await sleep(pauseMs);
    }
  }
}

const unfinished = 'finished_at IS NULL AND rolled_back_at IS NULL';

async function namesOf(client: pg.Client, condition: string): Promise<string[]> {
  const { rows: known } = await client.query(`SELECT WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  if (known.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE ${condition} ORDER BY started_at`,
  );
  return rows.map(({ name }) => name);
}

/** A migration that was undone is applied again. */
const forget = (url: string, migrationName: string) =>
  withSchemaEngine(url, undefined, (engine) => engine.markMigrationRolledBack({ migrationName }));

/** What remains of an index that was built concurrently and not to its end does nothing but cost: it is built again. */
async function removeHalfBuilt(url: string, client: pg.Client, { migrationDirectories }: MigrationsList) {
  for (const name of await namesOf(client, unfinished)) {
    const script = migrationDirectories.find(({ path }) => path === name)?.migrationFile.content.value ?? '';
    const index = builtConcurrently(script);
    if (index === undefined) continue;
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(index)}`);
    await forget(url, name);
  }
}

/** SQL that would turn the database into what prisma/schema says; empty when it is already so. */
export async function diffFromSchema(url: string): Promise<string> {
  const files = await readSchema();
  return withSchemaEngine(
    url,
    files.map(({ path, content }) => [path, content]),
    async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: prismaFolder },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: null,
        filters: { ...filters, externalTables: [] },
      });
      return stdout ?? '';
    },
  );
}

async function readSchema(): Promise<{ path: string; content: string }[]> {
  const folder = join(prismaFolder, 'schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => ({ path: join(folder, name), content: await readFile(join(folder, name), 'utf8') })),
  );
}

async function readMigrations(baseDir: string) {
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' };
  return { baseDir, lockfile, shadowDbInitScript: '', migrationDirectories };
}
