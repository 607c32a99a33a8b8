import type { Logger } from '@eas/core';
import { createTenantLoads, type Database, recordLoads } from '@eas/db';
import { type CallBudget, type CountPoints, countInPostgres, countInRedis, createCallBudget } from '@eas/http';
import { connectRedis } from '@eas/queue/redis-connection';
import { type ProcessParts, recordEachMinute } from '@eas/runtime';
import type { Config } from './config.ts';

/** What callers may do in a minute, counted by all gateways in Redis where there is one, else in Postgres. */
export function buildCallBudget(parts: ProcessParts<Config>, database: Database): CallBudget {
  const { config, logger, metrics } = parts;
  const fallbacks = metrics.counter('eas_rate_limit_fallbacks_total');
  const heldBack = metrics.counter('eas_calls_held_back_total');
  const loads = createTenantLoads();
  recordEachMinute('tenant loads', () => recordLoads(database.db, loads), parts);
  return createCallBudget({
    count: countFor(parts, database),
    logger,
    perTenant: config.tenantLimits.requests,
    failedLookUps: config.authFailuresPerMinute,
    onFallback: () => fallbacks.inc(),
    onHeldBack: (outcome) => heldBack.inc({ outcome }),
    onCost: loads.add,
  });
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
