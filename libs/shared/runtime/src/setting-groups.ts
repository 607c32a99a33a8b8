import { z } from 'zod';
import { setting } from './setting.ts';
import { cidrList, numberList, flag, integer, keyList, port, redisUrls, text, url } from './setting-types.ts';

/** Postgres. `poolSize` counts connections of one process. */
export const databaseSettings = {
  url: setting(
    'DATABASE_URL',
    url('postgresql:', 'postgres:').describe('URL of Postgres (postgresql://…).'),
    'without_password',
  ),
  directUrl: setting(
    'DATABASE_DIRECT_URL',
    url('postgresql:', 'postgres:')
      .optional()
      .describe(
        'URL of the same database without a connection pooler, needed if DATABASE_URL leads through one: for LISTEN, queues on Postgres, migrations, the seed and operator commands.',
      ),
    'without_password',
  ),
  poolSize: setting(
    'DB_POOL',
    integer(1, 200).default(8).describe('Maximum number of database connections per process.'),
  ),
};

/** Queues and limits on Redis; unset: on Postgres. Comma-separated addresses mean a cluster. */
export const redisSettings = {
  url: setting(
    'REDIS_URL',
    redisUrls()
      .optional()
      .describe(
        'URL of Redis for queues and rate limits (redis:// or rediss://; for a Cluster several addresses, comma-separated, or one with ?cluster=true). If unset, Postgres is used.',
      ),
    'without_password',
  ),
};

export const loggingSettings = {
  level: setting(
    'LOG_LEVEL',
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'fatal, error, warn, info, debug or silent')
      .default('info')
      .describe('Minimum log level.'),
  ),
};

export function healthSettings(defaultPort: number) {
  return {
    port: setting('HEALTH_PORT', port().default(defaultPort).describe('Port of /livez, /readyz and /metrics.')),
    host: setting(
      'HEALTH_HOST',
      text().default('127.0.0.1').describe('Address that /livez, /readyz and /metrics listen on.'),
    ),
  };
}

/** Seconds for running work after SIGTERM. */
export const shutdownSettings = {
  seconds: setting(
    'SHUTDOWN_SECONDS',
    integer(1, 3_600).default(25).describe('Seconds that running work has to finish after SIGTERM (standalone: 8).'),
  ),
};

/** For processes that clients call. */
export const servingShutdownSettings = {
  ...shutdownSettings,
  delaySeconds: setting(
    'SHUTDOWN_DELAY_SECONDS',
    integer(0, 600)
      .default(5)
      .describe(
        'Seconds after SIGTERM in which requests are still accepted while /readyz responds 503, so that proxies send them elsewhere (standalone: 0). Part of SHUTDOWN_SECONDS, at most half of it.',
      ),
  ),
};

export const secretSettings = {
  encryptionKeys: setting(
    'ENCRYPTION_KEY',
    keyList().describe('Encryption keys: 32 bytes in base64, comma-separated. The first one encrypts, all decrypt.'),
    'secret',
  ),
};

export const leaseSettings = {
  seconds: setting(
    'LEASE_SECONDS',
    integer(1, 86_400)
      .default(60)
      .describe('Seconds until a lease expires without a heartbeat or another call, unless its claim names others.'),
  ),
};

/** Maximum numbers per task; one more is 409 `limit`. */
export const taskLimitSettings = {
  commentsPerTask: setting(
    'COMMENTS_PER_TASK',
    integer(1, 1_000_000)
      .default(10_000)
      .describe('Maximum number of comments per task. Beyond it, requests fail with 409 limit.'),
  ),
};

const days = () => integer(0, 36_500);

/** How long history is kept, in days; 0 keeps it for ever. */
export const retentionSettings = {
  eventDays: setting(
    'EVENT_RETENTION_DAYS',
    days().default(90).describe('Days that events are kept. 0: no limit. Old months are removed as a whole.'),
  ),
  deliveryDays: setting(
    'DELIVERY_RETENTION_DAYS',
    days()
      .default(30)
      .describe(
        'Days that webhook deliveries and their attempts are kept. 0: no limit. Old months are removed as a whole.',
      ),
  ),
};

/** The same for sessions and model calls of agents. */
export const sessionRetentionSettings = {
  sessionDays: setting(
    'AGENT_SESSION_RETENTION_DAYS',
    days()
      .default(30)
      .describe(
        'Days that sessions of agents are kept: what they said and did. 0: no limit. Old months are removed as a whole.',
      ),
  ),
  modelCallDays: setting(
    'MODEL_CALL_RETENTION_DAYS',
    days()
      .default(90)
      .describe(
        'Days that single calls of agents to models are kept. 0: no limit. Old months are removed as a whole; sums in analytics stay.',
      ),
  ),
};

/** The same for received webhooks. */
export const inboundRetentionSettings = {
  bodyDays: setting(
    'INBOUND_RETENTION_DAYS',
    days()
      .default(30)
      .describe(
        'Days that bodies of received webhooks are kept after they were processed. 0: no limit. The receipts stay.',
      ),
  ),
};

/**
 * Which addresses endpoints may have in addition to public https ones. Checked at registration and at every delivery.
 */
export const targetSettings = {
  allowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    flag().default(false).describe('Whether webhook endpoints can use http URLs.'),
  ),
  allowedCidrs: setting(
    'WEBHOOK_ALLOWED_CIDRS',
    cidrList().default([]).describe('Private address ranges that webhook endpoints are allowed to use.'),
  ),
  deniedPorts: setting(
    'WEBHOOK_DENIED_PORTS',
    numberList()
      .default([])
      .describe(
        'Ports that webhook endpoints cannot use, comma-separated: those of the service where it can reach itself.',
      ),
  ),
};

/** Where messages to chat workspaces with a token are sent. */
export const chatSettings = {
  apiUrl: setting(
    'CHAT_API_URL',
    url('http:', 'https:')
      .default('https://slack.com/api')
      .describe(
        'URL of the chat’s Web API, to which messages of integrations with a token are posted. http needs WEBHOOK_ALLOW_HTTP, a private address WEBHOOK_ALLOWED_CIDRS.',
      ),
  ),
};

/** Proxies that are trusted for the address of a caller. */
export const proxySettings = {
  trusted: setting(
    'TRUST_PROXY',
    cidrList().default([]).describe('Networks of proxies whose X-Forwarded-For is trusted.'),
  ),
};
