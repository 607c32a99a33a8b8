export type QueueBackEnd = {
  readonly kind: 'redis' | 'postgres';
  readonly redisUrl: string | undefined;
};

/**
 * Where queues are in this run of the suites. `npm test` repeats on Redis the suites that import this file, directly or
 * through others, and only those, so nothing else may read these variables (a lint rule enforces it).
 */
export const queueBackEnd: QueueBackEnd = readQueueBackEnd();

function readQueueBackEnd(): QueueBackEnd {
  if (process.env['TEST_QUEUE_BACKEND'] !== 'redis') return { kind: 'postgres', redisUrl: undefined };
  const redisUrl = process.env['TEST_REDIS_URL'];
  if (!redisUrl) throw new Error('TEST_QUEUE_BACKEND=redis needs TEST_REDIS_URL');
  return { kind: 'redis', redisUrl };
}

/** A Redis database for a single suite, which may flush it; undefined in a run on Postgres. */
export function ownRedisDatabase(number: number): string | undefined {
  if (queueBackEnd.redisUrl === undefined) return undefined;
  const url = new URL(queueBackEnd.redisUrl);
  url.pathname = `/${number}`;
  return url.toString();
}
