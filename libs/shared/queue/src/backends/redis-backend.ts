import { once } from 'node:events';
import type { Logger } from '@eas/core';
import { Queue, Worker } from 'bullmq';
import { type Backend, connectTimeoutMs, pingTimeoutMs, producerDefaults, within, workerDefaults } from './backend.ts';
import { connectRedis, refuseSingleClusterNode } from './redis-connection.ts';
import { readRedisState } from './redis-state.ts';

/** BullMQ on Redis. `prefix` keeps installations apart. Throws when Redis does not respond within 10 s. */
export async function openRedisBackend(url: string, prefix: string, logger: Logger): Promise<Backend> {
  const onError = logOutage(logger);
  const producer = connectRedis(url, 'producer', onError);
  try {
    if (producer.status !== 'ready') await within(connectTimeoutMs, 'connecting to Redis', once(producer, 'ready'));
    await refuseSingleClusterNode(producer);
  } catch (error) {
    producer.disconnect();
    throw error;
  }
  // One hash slot per queue, as a Cluster needs it.
  const prefixOf = (name: string) => `{${prefix}.${name}}`;

  return {
    kind: 'redis',
    openQueue: (name) => {
      const queue = new Queue(name, { ...producerDefaults, connection: producer, prefix: prefixOf(name) });
      queue.on('error', onError);
      return queue;
    },
    add: async (queue, jobs) => void (await queue.addBulk([...jobs])),
    async oldestWaitingAt({ backend }) {
      // One script reads the id and the job: between two commands it may end and be removed.
      const [[[, fields = []] = []] = []] = await backend.getJobs(['waiting'], 0, 0, true);
      const at = fields[fields.indexOf('timestamp') + 1];
      return at === undefined ? undefined : Number(at);
    },
    openWorker: (name, run, settings) => {
      const connection = connectRedis(url, 'worker', onError);
      const worker = new Worker(name, run, { ...workerDefaults, ...settings, connection, prefix: prefixOf(name) });
      worker.on('error', onError);
      return {
        worker,
        async disconnect() {
          await worker.backend.close(true);
          connection.disconnect();
        },
      };
    },
    ping: async () => void (await within(pingTimeoutMs, 'PING', producer.ping())),
    readRedisState: () => readRedisState(producer),
    close: async () => producer.disconnect(),
  };
}

/** An unavailable store reports an error on every reconnect: one log line in 10 s is enough. */
export function logOutage(logger: Logger): (error: Error) => void {
  let loggedAt = -Infinity;
  return (error) => {
    if (performance.now() - loggedAt < 10_000) return;
    loggedAt = performance.now();
    logger.warn({ err: error }, 'queue store error, reconnecting');
  };
}
