import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { countInPostgres, countInRedis, createRateLimiter, type RateLimiter } from '@eas/http';
import { connectRedis } from '@eas/queue/redis-connection';
import type { ProcessParts } from '@eas/runtime';
import type { Config } from './config.ts';

/** Rate limits shared by all gateways: counted in Redis where there is one, else in Postgres. */
export function buildRateLimiter(
  { config, logger, metrics, onShutdown }: ProcessParts<Config>,
  { db }: Database,
): RateLimiter {
  const fallbacks = metrics.counter({
    name: 'eas_rate_limit_fallbacks_total',
    help: 'Calls counted by this process alone because the shared store did not answer',
  });
  const onFallback = () => fallbacks.inc();
  if (!config.redis.url) return createRateLimiter({ count: countInPostgres(db), logger, onFallback });
  const redis = connectRedis(config.redis.url, 'producer', warnOnce(logger));
  onShutdown('rate limits', async () => redis.disconnect());
  return createRateLimiter({ count: countInRedis(redis), logger, onFallback });
}

/** A lost connection reports every try; one line until it changes is enough. */
function warnOnce(logger: Logger): (error: Error) => void {
  let last = '';
  return (error) => {
    if (error.message === last) return;
    last = error.message;
    logger.warn({ err: error }, 'Redis does not answer; rate limits are counted in this process');
  };
}
