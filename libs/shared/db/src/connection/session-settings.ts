import type { ClientBase } from 'pg';
import type { Db } from './db.ts';

/**
 * Plans of prepared statements are kept, and a table that was small when they were made may grow by a hundred thousand
 * rows until they are made anew. So what is cheapest for a small table, to read all of it, is only done where no index
 * serves. Pages come out of memory or from flash, where their order matters little; by the default of 4.0 a look-up of
 * some rows by their place would lose to an index of the wrong columns. No statement is so long that compiling it pays.
 *
 * A transaction whose process fell silent holds its locks, and others wait for them, until Postgres ends it.
 */
const settings = {
  enable_seqscan: 'off',
  random_page_cost: '1.1',
  jit: 'off',
  idle_in_transaction_session_timeout: '10s',
};

/** Postgres 18 before 18.6 may crash when a statement prunes partitions after it waited for a row (decision 119). */
const pruning = 'enable_partition_pruning';
const crashesByPruningSql = `current_setting('server_version_num')::int BETWEEN 180000 AND 180005`;

/** Poolers refuse parameters that they do not know: behind one, the role has these settings. */
export const sessionOptions = {
  options: Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
  /** The pool gives out the connection when this has ended. */
  async onConnect(connection: ClientBase) {
    await connection.query(`SELECT set_config('${pruning}', 'off', false) WHERE ${crashesByPruningSql}`);
  },
};

const wrongSettingsSql = `
  SELECT name, value FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
  WHERE current_setting(name) <> value AND (name <> '${pruning}' OR ${crashesByPruningSql})`;

/** Of the connections of `db`: settings that they lack, with the value that they should have. */
export function readMissingSettings(db: Db): Promise<{ name: string; value: string }[]> {
  const wanted = { ...settings, [pruning]: 'off' };
  return db.query(wrongSettingsSql, [Object.keys(wanted), Object.values(wanted)]);
}
