import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '@eas/core';
import type { Db } from '../connection/db.ts';

export const prismaFolder = resolve(import.meta.dirname, '../../../../../prisma');

export type MigrationState = {
  /** Names of this version's migrations that the database lacks. */
  missing: string[];
  /** Names of migrations of the database that this version does not have. */
  unknown: string[];
  /** Names of migrations that began and did not end. */
  unfinished: string[];
};

type AppliedRow = { name: string; isFinished: boolean };

const appliedSql = `
  SELECT migration_name AS name, bool_or(finished_at IS NOT NULL) AS "isFinished" FROM _prisma_migrations
  WHERE rolled_back_at IS NULL GROUP BY 1 ORDER BY 1`;

/** Names of this version's migrations, oldest first. */
async function ownMigrations(): Promise<string[]> {
  const entries = await readdir(join(prismaFolder, 'migrations'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Checks with one small statement that the database has this version's newest migration. Throws if not. */
export async function createNewestMigrationCheck(): Promise<(db: Db) => Promise<void>> {
  const newest = (await ownMigrations()).at(-1);
  return async (db) => {
    const found = await db.query(
      'SELECT FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL',
      [newest],
    );
    if (found.length === 0) throw new Error(`the database lacks the migration ${newest}`);
  };
}

export async function readMigrationState(db: Db): Promise<MigrationState> {
  const own = await ownMigrations();
  const applied = await db.query<AppliedRow>(appliedSql, [], { isPrepared: false });
  const names = applied.map(({ name }) => name);
  return {
    missing: own.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !own.includes(name)),
    unfinished: applied.filter(({ isFinished }) => !isFinished).map(({ name }) => name),
  };
}

/** Migrations with this suffix remove something: releases that do not know them cannot use the database any more. */
export const contracts = (name: string): boolean => name.endsWith('_contract');

/**
 * Throws a StartError when this release cannot work on the database: it lacks migrations, or has one, unknown here,
 * that removed something. Returns the other unknown ones: additions of a newer release are harmless.
 */
export async function requireSchema(db: Db, database: string): Promise<string[]> {
  const { missing: absent, unfinished, unknown } = await readMigrationState(db);
  const missing = [...absent, ...unfinished.filter((name) => !unknown.includes(name))].sort();
  if (missing.length > 0) {
    throw new StartError(
      `${database} is behind this release: ${missing.length} migrations are missing, the last is ${missing.at(-1)}. Run npm run db:migrate.`,
    );
  }
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
