import { randomBytes } from 'node:crypto';
import type { Consumer } from '@eas/contracts';
import type { Database } from '@eas/db';
import { connectRedis, type OpenQueues, openQueues } from '@eas/queue';
import { afterAll, beforeAll } from '@jest/globals';
import { silentLogger } from './silent-logger.ts';
import type { TestDatabase } from './test-database.ts';

export type TestQueues = {
  readonly queues: OpenQueues;
  readonly backend: 'redis' | 'postgres';
  /** What a further process needs to open the same queues. */
  readonly options: { redisUrl: string | undefined; databaseUrl: string; namespace: string };
  /** Loses all that the queue store holds, as FLUSHALL or a fresh store would. */
  wipe(): Promise<void>;
};

/**
 * Queues of their own for the test file, on the back end that TEST_QUEUE_BACKEND names (`postgres` when unset; `redis`
 * wants REDIS_URL). What the file ends itself, such as a relay, it registers before useTestDatabase and this: hooks run in
 * the order in which they are registered.
 */
export function useQueues(testDatabase: TestDatabase): TestQueues {
  const backend = process.env['TEST_QUEUE_BACKEND'] === 'redis' ? 'redis' : 'postgres';
  const redisUrl = backend === 'redis' ? process.env['REDIS_URL'] : undefined;
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  let queues: OpenQueues | undefined;
  const options = () => ({ redisUrl, databaseUrl: testDatabase.url, namespace });

  beforeAll(async () => {
    if (backend === 'redis' && !redisUrl) throw new Error('TEST_QUEUE_BACKEND=redis needs REDIS_URL');
    queues = await openQueues({ ...options(), logger: silentLogger });
  });
  const wipe = () => (redisUrl ? removeKeys(redisUrl, namespace) : truncateQueues(testDatabase.database, namespace));
  afterAll(async () => {
    await queues?.close();
    if (queues && redisUrl) await wipe();
  });

  return {
    get queues() {
      if (!queues) throw new Error('the queues are open only while tests run');
      return queues;
    },
    backend,
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

/**
 * Resolves as soon as consumers owe nothing more (of the one consumer, when it is named); dead rows do not count.
 * Rejects after `timeoutMs`, telling what is left.
 */
export async function outboxDrained(
  { db }: Pick<Database, 'db'>,
  { consumer, timeoutMs = 15_000 }: { consumer?: Consumer; timeoutMs?: number } = {},
): Promise<void> {
  let left = '';
  const isDrained = async () => {
    const rows = await db.query<{ consumer: string; count: number }>(
      `SELECT consumer, count(*) AS count FROM outbox
       WHERE dead_at IS NULL AND ($1::text IS NULL OR consumer = $1) GROUP BY consumer`,
      [consumer ?? null],
    );
    left = rows.map((row) => `${row.consumer} ${row.count}`).join(', ');
    return rows.length === 0;
  };
  await eventually(isDrained, timeoutMs).catch(() => {
    throw new Error(`after ${timeoutMs} ms consumers still owe: ${left}`);
  });
}

/** Resolves as soon as `check` says true, asked every 10 ms; rejects after `timeoutMs`. */
export async function eventually(check: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`it was not so within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
