import type { Logger } from '@eas/core';
import {
  type BackendFactory,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  createPostgresBackend,
  withBackend,
} from 'bullmq';
import { type Backend, connectTimeoutMs, pingTimeoutMs, producerDefaults, within, workerDefaults } from './backend.ts';
import { logOutage } from './redis-backend.ts';

/** Connections of a process: 1 for its producers; with a worker 2 more for its jobs and 1 that listens. */
const producerConnections = 1;
const workerConnections = 2;
/** Here addBulk makes temporary tables, 7 ms whatever the number; one add takes 1 ms. */
const singleAdds = 6;

/** In a schema of its own, made when missing. At most 4 connections with one worker. Throws without a database. */
export async function openPostgresBackend(connectionString: string, schema: string, logger: Logger): Promise<Backend> {
  const onError = logOutage(logger);
  const settings = (max: number) => ({
    connectionString,
    schema,
    migrate: true,
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'eas-queue',
  });
  const producer = new PostgresConnection(settings(producerConnections));
  producer.on('error', onError);
  try {
    await producer.waitUntilReady();
  } catch (error) {
    await producer.close();
    throw error;
  }
  const onProducer: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts) =>
    new PostgresQueueBackend(producer, name, opts, false);
  const producers = withBackend(onProducer);
  const workers = withBackend(createPostgresBackend);

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
    // Here the newest is always the first.
    async oldestWaiting(queue) {
      const last = (await queue.getWaitingCount()) - 1;
      return last < 0 ? undefined : (await queue.getWaiting(last, last))[0];
    },
    openWorker: (name, run, { concurrency }) => {
      const connection = settings(workerConnections);
      const worker = new workers.Worker(name, run, { ...workerDefaults, concurrency, connection });
      worker.on('error', onError);
      return { worker: worker as never, disconnect: () => worker.backend.close(true) };
    },
    ping: async () => void (await within(pingTimeoutMs, 'SELECT', producer.pool.query('SELECT 1', []))),
    close: () => producer.close(),
  };
}
