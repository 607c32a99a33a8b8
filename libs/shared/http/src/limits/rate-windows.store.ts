import type { Db } from '@eas/db';
import pTimeout from 'p-timeout';
import { RateLimiterPostgres, RateLimiterRedis, type RateLimiterStoreAbstract } from 'rate-limiter-flexible';

/** A window after points were added: the points of all processes, and when it ends (Unix ms). */
export type Window = { used: number; endsAtMs: number };

/** Adds points to a key's window. Rejects when the store does not respond. */
export type CountPoints = (key: string, points: number) => Promise<Window>;

const windowSeconds = 60;
/** Limits differ per credential and are compared by the caller: the store only counts. */
const unlimited = 2_000_000_000;
/** A store that is slower than this counts as down. */
const deadlineMs = 500;

/** Windows in Redis, which count as down when they are slower than `milliseconds`. `redis` is an ioredis client (or cluster). */
export function countInRedis(redis: object, keyPrefix = 'eas:rate', milliseconds = deadlineMs): CountPoints {
  return countIn(
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix,
      points: unlimited,
      duration: windowSeconds,
      rejectIfRedisNotReady: true,
    }),
    milliseconds,
  );
}

/** Windows in the UNLOGGED table rate_windows, which count as down when they are slower than `milliseconds`. */
export function countInPostgres(db: Db, milliseconds = deadlineMs): CountPoints {
  const storeClient = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const rows = await db.query(text, values);
      return { rows, rowCount: rows.length };
    },
  };
  return countIn(
    new RateLimiterPostgres({
      storeClient,
      storeType: 'pool',
      tableName: 'rate_windows',
      tableCreated: true,
      // Its own timer would scan the whole table in every process; sweepRateWindows does it.
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points: unlimited,
      duration: windowSeconds,
    }),
    milliseconds,
  );
}

function countIn(limiter: RateLimiterStoreAbstract, milliseconds: number): CountPoints {
  // Not its `message`: that creates an error for every call.
  const fallback = () => Promise.reject<never>(new Error(`no answer within ${milliseconds} ms`));
  const deadline = { milliseconds, fallback };
  return async (key, points) => {
    const { consumedPoints, msBeforeNext } = await pTimeout(limiter.consume(key, points), deadline);
    return { used: consumedPoints, endsAtMs: Date.now() + msBeforeNext };
  };
}
