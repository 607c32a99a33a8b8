import { queues as catalogue } from '@eas/contracts';
import type { Logger } from '@eas/core';
import { limitOptions, migrationOptions, statementTimeoutMs } from '@eas/db';
import {
  type BackendFactory,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  withBackend,
} from 'bullmq';
import pTimeout from 'p-timeout';
import { type Backend, connectTimeoutMs, pingTimeoutMs, producerDefaults, within, workerDefaults } from './backend.ts';
import { logOutage } from './redis-backend.ts';

/** One statement: between two, the job that the first one found could start, and the queue would appear empty. */
const oldestWaitingSql = `
  SELECT added_at_ms AS at FROM job WHERE queue = $1 AND state = 'waiting' ORDER BY priority, seq LIMIT 1`;

const isActiveSql = `SELECT FROM job WHERE queue = $1 AND state = 'active' LIMIT 1`;

type Factory = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;
type Place = { connectionString: string; schema: string; migrate: boolean };

/** Connections of a process: 1 for its producers; with a worker 2 more for its jobs and 1 that listens. */
const producerConnections = 1;
const workerConnections = 2;
/** addBulk creates temporary tables here, which takes 7 ms for any number of jobs; a single add takes 1 ms. */
const singleAdds = 6;

/** Minimum interval between two checks: a busy worker waits for a job many times a second. */
const askMs = 2_000;
/** Time limit for closing a connection. */
const lastMs = 1_000;

/** Checks that the listening connection still works each time a worker waits for a job, which takes 5 s at most. */
class AskedConnection extends PostgresConnection {
  private askedAt = -Infinity;

  override async getListenClient() {
    const client = await super.getListenClient();
    if (performance.now() - this.askedAt > askMs) {
      this.askedAt = performance.now();
      void client.query('SELECT').catch(() => {});
    }
    return client;
  }

  /** A connection that stopped responding does not respond to its closing either: it ends with the process. */
  override close(): Promise<void> {
    return pTimeout(super.close(), { milliseconds: lastMs, fallback: () => {} });
  }
}

/** Searches for lost jobs only while a job is active: the library writes a row with each search. */
class WorkerBackend extends PostgresQueueBackend {
  override async moveStalledJobsToWait(): Promise<string[]> {
    const { rows } = await this.connection.pool.query(isActiveSql, [this.queueName]);
    return rows.length > 0 ? super.moveStalledJobsToWait() : [];
  }
}

/**
 * Uses a schema of its own, created if it is missing and the role may create it, otherwise by `preparePostgresQueues`.
 * At most 4 connections with one worker. Throws without a database.
 */
export async function openPostgresBackend(connectionString: string, schema: string, logger: Logger): Promise<Backend> {
  const onError = logOutage(logger);
  const place = { connectionString, schema, migrate: false };
  if (await mayMigrate(place, onError)) await (await openConnection({ ...place, migrate: true }, onError)).close();
  const producer = await openConnection(place, onError);
  const settings = (max: number) => settingsOf(place, max);
  const onProducer: Factory = (name, opts) => new PostgresQueueBackend(producer, name, opts, false);
  const onOwn: Factory = (name, opts) =>
    new WorkerBackend(new AskedConnection(opts.connection), name, opts, true, name);
  const producers = withBackend(onProducer);
  const workers = withBackend(onOwn);

  return {
    kind: 'postgres',
    openQueue: (name) => {
      const queue = new producers.Queue(name, { ...producerDefaults, connection: settings(producerConnections) });
      queue.on('error', onError);
      return queue as never;
    },
    async add(queue, jobs) {
      if (jobs.length > singleAdds) await queue.addBulk([...jobs]);
      else for (const { name, data, opts } of jobs) await queue.add(name, data, opts);
    },
    async oldestWaitingAt({ name }) {
      const { rows } = await producer.pool.query(oldestWaitingSql, [name]);
      const [oldest] = rows as { at: number }[];
      return oldest && Number(oldest.at);
    },
    openWorker: (name, run, { concurrency }) => {
      // A statement without a response then ends its connection, including the listening one.
      const connection = { ...settings(workerConnections), pipeline: true };
      const worker = new workers.Worker(name, run, { ...workerDefaults, concurrency, connection });
      worker.on('error', onError);
      return { worker: worker as never, disconnect: () => worker.backend.close(true) };
    },
    ping: async () => void (await within(pingTimeoutMs, 'SELECT', producer.pool.query('SELECT 1', []))),
    close: () => producer.close(),
  };
}

const settingsOf = (place: Place, max: number) => ({
  ...place,
  max,
  keepAlive: true,
  connectionTimeoutMillis: connectTimeoutMs,
  query_timeout: statementTimeoutMs,
  options: place.migrate ? migrationOptions : limitOptions,
  application_name: 'eas-queue',
});

async function openConnection(place: Place, onError: (error: Error) => void): Promise<PostgresConnection> {
  const connection = new PostgresConnection(settingsOf(place, producerConnections));
  connection.on('error', onError);
  try {
    await connection.waitUntilReady();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Checked first: a refused statement would be an error in the log of the server at every start. */
async function mayMigrate(place: Place, onError: (error: Error) => void): Promise<boolean> {
  const connection = new PostgresConnection(settingsOf(place, 1));
  connection.on('error', onError);
  try {
    const sql = `SELECT has_database_privilege(current_database(), 'CREATE') AS may`;
    const { rows } = await connection.pool.query(sql, []);
    return (rows as { may: boolean }[])[0]?.may === true;
  } finally {
    await connection.close();
  }
}

/**
 * The library creates a sequence for each queue at its first use, which needs the privilege to create it, and takes the
 * first number in the same transaction. With `wal_level = minimal` the log has nothing of that, nor of the next 32 numbers:
 * after a crash of Postgres they came again, and jobs were taken for those that had them before.
 */
const sequencesSql = `
  SELECT format('CREATE SEQUENCE IF NOT EXISTS %I.%I', $2::text, job_id_seq_name(name)) AS sql
  FROM unnest($1::text[]) AS q (name) WHERE to_regclass(job_id_seq_name(name)) IS NULL`;

/** Creates or updates the tables of the queues, so that a role without that privilege can use them. */
export async function preparePostgresQueues(connectionString: string, schema = 'queue'): Promise<void> {
  const connection = await openConnection({ connectionString, schema, migrate: true }, () => {});
  try {
    const { rows } = await connection.pool.query<{ sql: string }>(sequencesSql, [Object.keys(catalogue), schema]);
    for (const { sql } of rows) await connection.pool.query(sql);
  } finally {
    await connection.close();
  }
}
