import { randomBytes } from 'node:crypto';
import { unusable } from '@eas/core';
import pg from 'pg';
import { connectionOptions } from '../connection/connection-options.ts';

export { type DatabaseAddress, explainRefusal } from '../connection/explain-refusal.ts';
export { readMissingSettings } from '../connection/session-settings.ts';
export { grantAppRole, grantStatements, type RoleGrant, setRolePassword } from './app-role.ts';
export { contracts, readMigrationState } from './migration-state.ts';
export { readTableSizes } from './table-sizes.read-model.ts';
export { readMonthGaps, readServerFacts, type ServerFacts } from './server-facts.read-model.ts';

/** Throws a StartError that names the setting when the database does not take a connection. */
export async function checkDatabase(url: string, setting = 'DATABASE_URL'): Promise<void> {
  const client = new pg.Client({ ...connectionOptions, connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unusable('Postgres', setting, url, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Facts of a database, for any role that can connect: `server` is undefined for a role that may not read it. */
export type DatabaseIdentity = { database: string; server: string | undefined };

export async function readIdentity(url: string): Promise<DatabaseIdentity> {
  const databaseSql = `SELECT oid || ' ' || datname AS database FROM pg_database WHERE datname = current_database()`;
  const serverSql = 'SELECT system_identifier::text AS server FROM pg_control_system()';
  const [row] = await ask<{ database: string }>(url, databaseSql);
  const [found] = await ask<{ server: string }>(url, serverSql).catch(() => []);
  return { database: row?.database ?? '', server: found?.server };
}

/** The major version of the server. */
export async function readServerMajor(url: string): Promise<number> {
  const rows = await ask<{ major: number }>(url, `SELECT current_setting('server_version_num')::int / 10000 AS major`);
  return rows[0]?.major ?? 0;
}

const tablesSql = `
  SELECT count(*)::int AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

export async function countTables(url: string): Promise<number> {
  return (await ask<{ count: number }>(url, tablesSql))[0]?.count ?? 0;
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ ...connectionOptions, connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Creates an empty database on the same server while `work` runs. The user needs that privilege. */
export async function withScratchDatabase<T>(url: string, work: (scratchUrl: string) => Promise<T>): Promise<T> {
  const name = `eas_scratch_${randomBytes(4).toString('hex')}`;
  const scratchUrl = new URL(url);
  scratchUrl.pathname = `/${name}`;
  await run(url, [`CREATE DATABASE ${name}`]);
  try {
    return await work(scratchUrl.toString());
  } finally {
    await run(url, [`DROP DATABASE ${name} WITH (FORCE)`]);
  }
}

/** Removes everything that the database holds: all schemas, the queues' too. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`,
    );
    const drops = rows.map(({ name }) => `DROP SCHEMA ${name} CASCADE`);
    await client.query(['BEGIN', ...drops, 'CREATE SCHEMA public', 'COMMIT'].join('; '));
  } finally {
    await client.end();
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
