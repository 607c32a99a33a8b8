import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Db } from '../connection/db.ts';

export const prismaFolder = resolve(import.meta.dirname, '../../../../../prisma');

const finishedSql = `
  SELECT FROM _prisma_migrations
  WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** Throws when the newest migration of this release is not finished in the database. */
export async function requireNewestMigration(db: Db): Promise<void> {
  const entries = await readdir(join(prismaFolder, 'migrations'), { withFileTypes: true });
  const newest = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .at(-1);
  const rows = await db.query(finishedSql, [newest], { isPrepared: false });
  if (rows.length === 0) throw new Error(`the database lacks the migration ${newest}`);
}

export type DatabaseVersions = {
  postgres: string;
  /** The newest migration that is finished. */ schema: string | null;
};

const versionsSql = `
  SELECT split_part(current_setting('server_version'), ' ', 1) AS postgres,
    (SELECT max(migration_name) FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS schema`;

export async function readDatabaseVersions(db: Db): Promise<DatabaseVersions> {
  const [versions] = await db.query<DatabaseVersions>(versionsSql, []);
  return versions ?? { postgres: '', schema: null };
}
