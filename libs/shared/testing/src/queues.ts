import { randomBytes } from 'node:crypto';
import type { Database } from '@eas/db';
import { connectRedis, type OpenQueues, openQueues } from '@eas/queue';
import { beforeAll } from '@jest/globals';
import { afterAllOthers } from './suite-globals.ts';
import { type QueueBackEnd, queueBackEnd } from './queue-back-end.ts';
import { silentLogger } from './secret-watch.ts';
import type { TestDatabase } from './test-database.ts';

export type TestQueues = {
  readonly queues: OpenQueues;
  readonly backend: QueueBackEnd['kind'];
  /** What a further process needs to open the same queues. */
  readonly options: { redisUrl: string | undefined; databaseUrl: string; namespace: string };
  /** Loses all that the queue store holds, as FLUSHALL or a fresh store would. */
  wipe(): Promise<void>;
};

/** Queues of their own for the test file, on the back end of this run. What the file ends itself, such as a relay, ends before. */
export function useQueues(testDatabase: TestDatabase): TestQueues {
  const { kind, redisUrl } = queueBackEnd;
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  let queues: OpenQueues | undefined;
  const options = () => ({ redisUrl, databaseUrl: testDatabase.url, namespace });

  beforeAll(async () => {
    queues = await openQueues({ ...options(), logger: silentLogger });
  });
  const wipe = () => (redisUrl ? removeKeys(redisUrl, namespace) : truncateQueues(testDatabase.database, namespace));
  afterAllOthers(async () => {
    await queues?.close();
    if (queues && redisUrl) await wipe();
  });

  return {
    get queues() {
      if (!queues) throw new Error('the queues are open only while tests run');
      return queues;
    },
    backend: kind,
    get options() {
      return options();
    },
    wipe,
  };
}

async function removeKeys(redisUrl: string, namespace: string): Promise<void> {
  const redis = connectRedis(redisUrl, 'worker', () => {});
  const keys = await redis.keys(`{${namespace}.*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

/** Empties the queue tables of a schema, as if the store were fresh. */
export async function truncateQueues({ db }: Database, schema: string): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> 'migration'`,
    [schema],
  );
  // Workers that are busy lock the same tables in another order.
  const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01';
  for (let tries = 1; ; tries += 1) {
    try {
      await db.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      return;
    } catch (error) {
      if (!isDeadlock(error) || tries === 10) throw error;
    }
  }
}
