import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '@eas/core';
import type { Db } from '../connection/db.ts';

export const prismaFolder = resolve(import.meta.dirname, '../../../../../prisma');

const finishedSql = `
  SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** A migration of this name removes something: releases that do not know it cannot work on the database any more. */
const contracts = (name: string): boolean => name.endsWith('_contract');

/**
 * Throws a StartError when this release cannot work on the database: it lacks migrations, or has one, unknown here, that
 * removed something. Gives the other unknown ones: a newer release has added to the database, which does no harm.
 */
export async function requireSchema(db: Db, database: string): Promise<string[]> {
  const entries = await readdir(join(prismaFolder, 'migrations'), { withFileTypes: true });
  const known = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const rows = await db.query<{ name: string }>(finishedSql, [], { isPrepared: false });
  const finished = rows.map(({ name }) => name);
  const missing = known.filter((name) => !finished.includes(name)).sort();
  if (missing.length > 0) {
    throw new StartError(
      `${database} is behind this release: ${missing.length} migrations are missing, the last is ${missing.at(-1)}. Run npm run db:migrate.`,
    );
  }
  const unknown = finished.filter((name) => !known.includes(name)).sort();
  const contracted = unknown.find(contracts);
  if (contracted === undefined) return unknown;
  throw new StartError(
    `${database} is ahead of this release: the migration ${contracted} removed what this release needs. Start a release that has this migration.`,
  );
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
