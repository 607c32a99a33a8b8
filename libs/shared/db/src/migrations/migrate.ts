import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@eas/core';
import pg from 'pg';
import { connectionOptions } from '../connection/connection-options.ts';
import { migrationOptions } from '../connection/session-settings.ts';
import { isRefusal } from '../connection/explain-refusal.ts';
import { sqlStateOf } from '../connection/sql-error.ts';
import {
  applyMigration,
  finished,
  type Migration,
  namesOf,
  prepareTable,
  settleUnfinished,
} from './apply-migration.ts';
import { builtConcurrently, isLockTimeout, takeMigrationLock } from './migration-locks.ts';
import { prismaFolder } from './migration-state.ts';

export { diffFromSchema } from './diff-from-schema.ts';
export { migrationSql } from './migration-sql.ts';

export type MigrateOptions = {
  /**
   * Called with the reason of a delay: while another process migrates, and each time that a table is not free for 1 s.
   */
  onWait?: (sentence: string) => void;
  /** How often a migration is tried if its tables are not free, and the time between tries. */
  tries?: number;
  pauseMs?: number;
  /** When to report that another process migrates. */
  sayAfterMs?: number;
  /** With a folder for each migration. */
  folder?: string;
};

/**
 * Applies the migrations that the database lacks, each with its row in one transaction. Returns their names. Throws a
 * StartError when one cannot be applied; what was applied before stays, and a later run continues there.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = join(prismaFolder, 'migrations'), onWait = () => {}, sayAfterMs = 10_000 } = options;
  const client = new pg.Client({
    ...connectionOptions,
    connectionString: url,
    application_name: 'migrate',
    options: migrationOptions,
  });
  let isLost = false;
  client.on('error', () => (isLost = true));
  await client.connect();
  try {
    // One session for the lock and the scripts: the server keeps the lock until the script of a killed process has ended.
    await takeMigrationLock(client, { sayAfterMs, onWait });
    await prepareTable(client);
    const migrations = await readMigrations(folder);
    await settleUnfinished(client, migrations);
    const known = await namesOf(client, finished);
    const missing = migrations.filter(({ name }) => !known.includes(name));
    for (const migration of missing) await applyPatiently(client, migration, options);
    return missing.map(({ name }) => name);
  } catch (error) {
    throw isLost || sqlStateOf(error)?.startsWith('57P') ? lostConnection(error) : error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { onWait = () => {}, tries = 20, pauseMs = 10_000 }: MigrateOptions,
): Promise<void> {
  const { name } = migration;
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await applyMigration(client, migration);
    } catch (error) {
      if (!isLockTimeout(error)) throw isRefusal(error) ? error : notApplied(migration, error);
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

function notApplied({ name, script }: Migration, error: unknown): unknown {
  if (sqlStateOf(error) === undefined || sqlStateOf(error)?.startsWith('57P')) return error;
  const remains = builtConcurrently(script) ? 'The next db:migrate begins it again' : 'Nothing of it remains';
  return new StartError(`${name} was not applied: ${(error as Error).message.replace(/\.$/, '')}. ${remains}.`, error);
}

function lostConnection(error: unknown): StartError {
  const reason = (error as Error).message.replace(/\.$/, '');
  return new StartError(
    `The connection to Postgres was lost: ${reason}. Run db:migrate again; it goes on there.`,
    error,
  );
}

/** Oldest first. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, script: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}
