import type { ClientBase } from 'pg';
import { statementTimeoutMs } from './connection-options.ts';
import type { Db } from './db.ts';

/**
 * What an app has given up must not go on in the server, where it would hold locks and its connection: a statement ends
 * just before the app gives it up, so that its connection can be used again, and soon after its client has gone. A
 * caller that waits for a lock holds a connection, so no wait is long: 2 s in the apps; but longer than a
 * migration, behind which all others wait.
 */
const limits = (statementMs: number) => ({
  statement_timeout: `${Math.ceil(statementMs * 0.95)}ms`,
  lock_timeout: `${statementMs / 5_000}s`,
  client_connection_check_interval: '2s',
});

/**
 * Plans of prepared statements are kept, and a table that was small when they were made may grow by a hundred thousand
 * rows until they are made again. So what is cheapest for a small table, to read all of it, is only done where no index
 * serves. Pages come out of memory or from flash, where their order matters little; by the default of 4.0 a look-up of
 * some rows by their place would lose to an index of the wrong columns. No statement is so long that compiling it pays, or that it
 * may take several cores: each is planned for the largest tenant, and run for all of them.
 *
 * A transaction whose process fell silent holds its locks, and others wait for them, until Postgres ends it.
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

/** Start-up options of a connection that needs no more than the limits: it listens, or carries jobs. */
export const limitOptions: string = asOptions(limits(statementTimeoutMs));

/** Of one that migrates, whatever its role has: a migration takes as long as it takes, and ends without its process. */
export const migrationOptions: string = asOptions({ statement_timeout: '0', lock_timeout: '0' });

/** Poolers refuse parameters that they do not know: behind one, the role has these settings. */
export const sessionOptions = (statementMs: number) => ({
  options: asOptions(settings(statementMs)),
  /** The pool gives out the connection when this has ended. */
  async onConnect(connection: ClientBase) {
    await connection.query(`SELECT set_config('${pruning}', 'off', false) WHERE ${crashesByPruningSql}`);
  },
});

const wrongSettingsSql = `
  SELECT name, value FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
  WHERE current_setting(name) <> value AND (name <> '${pruning}' OR ${crashesByPruningSql})`;

/** Of the connections of `db`: settings that they lack, with the value that they should have. */
export function readMissingSettings(db: Db): Promise<{ name: string; value: string }[]> {
  const wanted = { ...settings(statementTimeoutMs), [pruning]: 'off' };
  return db.query(wrongSettingsSql, [Object.keys(wanted), Object.values(wanted)]);
}
