import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import {
  type CallerLimiter,
  type CountPoints,
  countInPostgres,
  countInRedis,
  createRateLimiter,
  createTenantPace,
  type RateLimiter,
  type TenantPace,
  withTenantCeiling,
  withTenantPace,
} from '@eas/http';
import { connectRedis } from '@eas/queue/redis-connection';
import type { ProcessParts } from '@eas/runtime';
import type { Config } from './config.ts';

/** Of one credential or address; of a caller and its tenant, at the tenant's pace. */
export type RateLimiters = { limit: RateLimiter; limitCaller: CallerLimiter; pace: TenantPace };

/** Points of a tenant, which are many, are batched for this long (ms). */
const gatherTenantMs = 50;

/** Rate limits shared by all gateways: counted in Redis where there is one, else in Postgres. */
export function buildRateLimiters(parts: ProcessParts<Config>, database: Database): RateLimiters {
  const { config, logger, metrics } = parts;
  const fallbacks = metrics.counter('eas_rate_limit_fallbacks_total');
  const onFallback = () => fallbacks.inc();
  const options = { count: countFor(parts, database), logger, onFallback };
  const limit = createRateLimiter(options);
  const ofTenants = createRateLimiter({ ...options, gatherMs: gatherTenantMs });
  const { requests } = config.tenantLimits;
  const heldBack = metrics.counter('eas_calls_held_back_total');
  const pace = createTenantPace({ perMinute: requests, onHeldBack: (outcome) => heldBack.inc({ outcome }) });
  return { limit, limitCaller: withTenantPace(withTenantCeiling(limit, ofTenants, requests), pace), pace };
}

function countFor({ config, logger, onShutdown }: ProcessParts<Config>, { db }: Database): CountPoints {
  if (!config.redis.url) return countInPostgres(db);
  const redis = connectRedis(config.redis.url, 'producer', warnOnce(logger));
  onShutdown('rate limits', async () => redis.disconnect());
  return countInRedis(redis);
}

/** A lost connection reports every try; only the first one is logged until the state changes. */
function warnOnce(logger: Logger): (error: Error) => void {
  let last = '';
  return (error) => {
    if (error.message === last) return;
    last = error.message;
    logger.warn({ err: error }, 'Redis unavailable, counting rate limits in this process');
  };
}
