import { createHash, randomUUID } from 'node:crypto';
import { StartError } from '@eas/core';
import pg from 'pg';
import { builtConcurrently, lockTimeoutMs } from './migration-locks.ts';

export type Migration = { name: string; script: string };

/** As `prisma migrate` creates it, so that both tools can be used. */
const tableSql = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

const stateSql = `
  SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isKnown", count(*)::int AS tables
  FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

/** Creates the table of migrations. Throws a StartError when the database has foreign tables. */
export async function prepareTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isKnown: boolean; tables: number }>(stateSql);
  const [{ isKnown, tables } = { isKnown: false, tables: 0 }] = rows;
  if (isKnown) return;
  if (tables > 0)
    throw new StartError(
      `The database has ${tables} tables but no _prisma_migrations, so its tables are of another service. Use an empty database.`,
    );
  await client.query(tableSql);
}

/** Those that are applied, oldest first. */
export const finished = 'finished_at IS NOT NULL AND rolled_back_at IS NULL';
const unfinished = 'finished_at IS NULL AND rolled_back_at IS NULL';

export async function namesOf(client: pg.Client, condition: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE ${condition} ORDER BY started_at`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Applies the script and inserts its row in one transaction: both or neither, whenever this process or the server ends.
 * An index that is built concurrently cannot be in a transaction: its row is inserted first.
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const { script } = migration;
  const id = pg.escapeLiteral(randomUUID());
  const finish = `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = ${id}`;
  if (builtConcurrently(script)) {
    await client.query(insertSql(id, migration));
    await client.query(script);
    await client.query(finish);
  } else {
    const limit = `SET LOCAL lock_timeout = ${lockTimeoutMs}`;
    // No BEGIN: the statements of one message are a transaction, and an error leaves none open.
    await client.query(`${limit};\n${insertSql(id, migration)};\n${script}\n;${finish}`);
  }
}

function insertSql(id: string, { name, script }: Migration): string {
  const checksum = createHash('sha256').update(script).digest('hex');
  return `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
    VALUES (${id}, '${checksum}', ${pg.escapeLiteral(name)}, clock_timestamp())`;
}

/**
 * Prepares migrations that began and did not end for another try: drops an incomplete concurrent index. Throws a
 * StartError for a script that an older release began: it kept the row outside of the transaction.
 */
export async function settleUnfinished(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const name of await namesOf(client, unfinished)) {
    const migration = migrations.find((one) => one.name === name);
    // The later release handles it.
    if (!migration) continue;
    const index = builtConcurrently(migration.script);
    if (index !== undefined) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(index)}`);
    else if (!(await hasFailed(client, name))) throw brokenOff(name);
    await client.query(
      `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND ${unfinished}`,
      [name],
    );
  }
}

/** Older releases recorded why a script failed; its transaction was rolled back then. */
const hasFailed = async (client: pg.Client, name: string) =>
  (await namesOf(client, `${unfinished} AND logs <> '' AND migration_name = ${pg.escapeLiteral(name)}`)).length > 0;

const brokenOff = (name: string) =>
  new StartError(
    `The migration ${name} was interrupted under an older release, and either all of its changes were made or none. ` +
      `Compare the database with prisma/migrations/${name}/migration.sql. If they were made, run UPDATE _prisma_migrations ` +
      `SET finished_at = now() WHERE migration_name = '${name}' AND rolled_back_at IS NULL; if not, run the same with ` +
      `rolled_back_at in place of finished_at. Then run db:migrate again.`,
  );
