import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { prismaFolder } from './migration-state.ts';
import { withSchemaEngine } from './schema-engine.ts';

/** Any constant: whoever migrates holds this advisory lock. */
const migrationLock = 7_261_533;
const filters = { externalTables: [], externalEnums: [] };

/** Applies the migrations that the database lacks, as `prisma migrate deploy` would. Returns their names. */
export async function migrate(url: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const migrationsList = await readMigrations();
    return await withSchemaEngine(url, undefined, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
      return appliedMigrationNames;
    });
  } finally {
    await lock.end();
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

async function readMigrations() {
  const baseDir = join(prismaFolder, 'migrations');
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
