import type { ClientBase } from 'pg';
import { statementTimeoutMs } from './connection-options.ts';
import type { Db } from './db.ts';

/**
 * A statement that an app has given up must not continue in the server, where it would hold locks and its connection.
 * It ends just before the app gives it up, so that its connection can be used again, and soon after its client has
 * gone. A caller that waits for a lock holds a connection, so waits are short: 2 s in the apps, which is longer than a
 * migration holds a table.
 */
const limits = (statementMs: number) => ({
  statement_timeout: `${Math.ceil(statementMs * 0.95)}ms`,
  lock_timeout: `${statementMs / 5_000}s`,
  client_connection_check_interval: '2s',
});

/**
 * Plans of prepared statements are cached, and a table that was small at planning may grow by a hundred thousand rows
 * before they are made again. So a sequential scan, the cheapest plan for a small table, is only used if no index fits.
 * Pages come from memory or flash, where their order matters little; with the default of 4.0 a look-up of some rows
 * would lose to an index of the wrong columns. No statement is long enough to be worth JIT or several cores: each is
 * planned for the largest tenant and run for all.
 *
 * Postgres ends the transaction of a process that stopped responding, since others wait for its locks.
 */
const settings = (statementMs: number) => ({
  enable_seqscan: 'off',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  idle_in_transaction_session_timeout: `${statementMs / 1_000}s`,
  ...limits(statementMs),
});

/** Postgres 18 before 18.6 may crash when a statement prunes partitions after it waited for a row (decision 209). */
const pruning = 'enable_partition_pruning';
const crashesByPruningSql = `current_setting('server_version_num')::int BETWEEN 180000 AND 180005`;

const asOptions = (wanted: Readonly<Record<string, string>>) =>
  Object.entries(wanted)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Start-up options of a connection that needs only the limits: it listens, or transports jobs. */
export const limitOptions: string = asOptions(limits(statementTimeoutMs));

/** Options of a migrating connection, whatever its role has: no time limit, and a migration ends with its process. */
export const migrationOptions: string = asOptions({ statement_timeout: '0', lock_timeout: '0' });

/** Poolers refuse unknown parameters: behind one, the role has these settings. */
export const sessionOptions = (statementMs: number) => ({
  options: asOptions(settings(statementMs)),
  /** The pool hands out the connection when this has ended. */
  async onConnect(connection: ClientBase) {
    await connection.query(`SELECT set_config('${pruning}', 'off', false) WHERE ${crashesByPruningSql}`);
  },
});

const wrongSettingsSql = `
  SELECT name, value FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
  WHERE current_setting(name) <> value AND (name <> '${pruning}' OR ${crashesByPruningSql})`;

/** Settings that the connections of `db` lack, with their expected values. */
export function readMissingSettings(db: Db): Promise<{ name: string; value: string }[]> {
  const wanted = { ...settings(statementTimeoutMs), [pruning]: 'off' };
  return db.query(wrongSettingsSql, [Object.keys(wanted), Object.values(wanted)]);
}
