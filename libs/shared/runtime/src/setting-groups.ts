import { z } from 'zod';
import { setting } from './setting.ts';
import { cidrList, flag, integer, keyList, port, text, url } from './setting-types.ts';

/** Postgres. `poolSize` counts connections of one process. */
export const databaseSettings = {
  url: setting('DATABASE_URL', url('postgresql:', 'postgres:').describe('the address of Postgres (postgresql://…)')),
  directUrl: setting(
    'DATABASE_DIRECT_URL',
    url('postgresql:', 'postgres:').optional().describe('address for LISTEN when DATABASE_URL leads through a pooler'),
  ),
  poolSize: setting('DB_POOL', integer(1, 200).default(8).describe('database connections of one process')),
};

/** Queues and limits on Redis; unset: on Postgres. Comma-separated addresses mean a cluster. */
export const redisSettings = {
  url: setting(
    'REDIS_URL',
    text()
      .regex(/^rediss?:\/\/[^,]+(,\s*rediss?:\/\/[^,]+)*$/, 'redis:// or rediss:// addresses, comma-separated')
      .optional()
      .describe('Redis for queues and limits (redis://, rediss://, comma-separated for a cluster); unset: Postgres'),
  ),
};

/** Log lines below the level are dropped. */
export const loggingSettings = {
  level: setting(
    'LOG_LEVEL',
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'fatal, error, warn, info, debug or silent')
      .default('info')
      .describe('least level of log lines'),
  ),
};

/** Where /livez, /readyz and /metrics listen. */
export function healthSettings(defaultPort: number) {
  return {
    port: setting('HEALTH_PORT', port().default(defaultPort).describe('port of /livez, /readyz and /metrics')),
    host: setting('HEALTH_HOST', text().default('127.0.0.1').describe('address of /livez, /readyz and /metrics')),
  };
}

/** Work in hand gets that many seconds after SIGTERM. */
export const shutdownSettings = {
  seconds: setting(
    'SHUTDOWN_SECONDS',
    integer(1, 3_600).default(25).describe('seconds that work in hand gets after SIGTERM (standalone: 8)'),
  ),
};

/** Keys that seal secrets at rest. */
export const secretSettings = {
  encryptionKeys: setting(
    'ENCRYPTION_KEY',
    keyList().describe('32 bytes in base64, or a comma-separated list: the first seals, all open'),
  ),
};

/** How long a claim lasts. */
export const leaseSettings = {
  seconds: setting(
    'LEASE_SECONDS',
    integer(1, 86_400).default(60).describe('how long a lease lasts without a sign of life, in seconds'),
  ),
};

/** How much a task may have; one more is 409 `limit`. */
export const taskLimitSettings = {
  commentsPerTask: setting(
    'COMMENTS_PER_TASK',
    integer(1, 1_000_000).default(10_000).describe('maximum number of comments of a task; one more is 409 limit'),
  ),
};

/** Which addresses endpoints may have beside public https ones. Checked at registration and at every delivery. */
export const targetSettings = {
  allowHttp: setting('WEBHOOK_ALLOW_HTTP', flag().default(false).describe('endpoints may have http addresses')),
  allowedCidrs: setting(
    'WEBHOOK_ALLOWED_CIDRS',
    cidrList().default([]).describe('address ranges in which endpoints may be although they are not public'),
  ),
};

/** Whose word on a caller's address counts. */
export const proxySettings = {
  trusted: setting(
    'TRUST_PROXY',
    cidrList().default([]).describe('networks of proxies whose X-Forwarded-For is believed'),
  ),
};
