import { z } from 'zod';
import { setting, variable } from './setting.ts';
import { cidrList, numberList, flag, integer, keyList, port, redisUrls, share, text, url } from './setting-types.ts';

/** Variables that more than one process reads, each with its own default or meaning. */
export const variables = {
  host: variable('HOST', text(1, 255)),
  port: variable('PORT', port()),
  receiverPort: variable('RECEIVER_PORT', port()),
  healthPort: variable('HEALTH_PORT', port()),
  baseUrl: variable('BASE_URL', url('http:', 'https:').optional()),
  databaseUrl: variable('DATABASE_URL', url('postgresql:', 'postgres:'), 'without_password'),
  encryptionKeys: variable('ENCRYPTION_KEY', keyList(), 'secret'),
  bootstrapKey: variable('BOOTSTRAP_API_KEY', text(24, 128), 'secret'),
  localRunners: variable('LOCAL_RUNNERS', flag()),
  shutdownSeconds: variable('SHUTDOWN_SECONDS', integer(1, 3_600)),
};

/** Postgres. `poolSize` counts connections of one process. */
export const databaseSettings = {
  url: variables.databaseUrl((type) => type.describe('URL of Postgres (postgresql://…).')),
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

/** Of processes that serve HTTP. */
export const accessLogSettings = {
  lines: setting(
    'ACCESS_LOG',
    z
      .enum(['off', 'errors', 'all'], 'off, errors or all')
      .optional()
      .describe(
        'Which responses have a log line, whatever LOG_LEVEL is: all, errors (status 5xx, a second or longer, or not sent to their end), or off. If unset: all if LOG_LEVEL is info or lower, otherwise off.',
      ),
  ),
  sample: setting(
    'ACCESS_LOG_SAMPLE',
    share()
      .default(1)
      .describe(
        'Share of the responses without such an error that ACCESS_LOG=all logs, from 0 to 1: 0.01 is one in a hundred.',
      ),
  ),
};

export function healthSettings(defaultPort: number) {
  return {
    port: variables.healthPort((type) => type.default(defaultPort).describe('Port of /livez, /readyz and /metrics.')),
    host: setting(
      'HEALTH_HOST',
      text().default('127.0.0.1').describe('Address that /livez, /readyz and /metrics listen on.'),
    ),
  };
}

/** Seconds for running work after SIGTERM. */
export const shutdownSettings = {
  seconds: variables.shutdownSeconds((type) =>
    type.default(25).describe('Seconds that running work has to finish after SIGTERM (standalone: 8).'),
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
  encryptionKeys: variables.encryptionKeys((type) =>
    type.describe('Encryption keys: 32 bytes in base64, comma-separated. The first one encrypts, all decrypt.'),
  ),
};

/** Requests a minute of the first API key. */
export const bootstrapRateLimit = setting(
  'BOOTSTRAP_RATE_LIMIT',
  integer(1, 1_000_000_000).default(10_000).describe('Rate limit of the first API key, in requests per minute.'),
);

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

/** Days that history is kept; 0 keeps it for ever. */
const daysKept = (variable: string, days: number, what: string, rest = 'Old months are removed as a whole.') =>
  setting(variable, integer(0, 36_500).default(days).describe(`Days that ${what} 0: no limit. ${rest}`));

export const retentionSettings = {
  eventDays: daysKept('EVENT_RETENTION_DAYS', 90, 'events are kept.'),
  deliveryDays: daysKept('DELIVERY_RETENTION_DAYS', 30, 'webhook deliveries and their attempts are kept.'),
};

/** Of sessions and model calls of agents. */
export const sessionRetentionSettings = {
  sessionDays: daysKept('AGENT_SESSION_RETENTION_DAYS', 30, 'sessions of agents are kept: what they said and did.'),
  modelCallDays: daysKept(
    'MODEL_CALL_RETENTION_DAYS',
    90,
    'single calls of agents to models are kept.',
    'Old months are removed as a whole; sums in analytics stay.',
  ),
};

/** Of received webhooks. */
export const inboundRetentionSettings = {
  bodyDays: daysKept(
    'INBOUND_RETENTION_DAYS',
    30,
    'bodies of received webhooks are kept after they were processed.',
    'The receipts stay.',
  ),
};

/** Of rows that a tenant can keep for a time of its own. */
export const tenantHistorySettings = {
  receiptDays: daysKept(
    'RECEIPT_RETENTION_DAYS',
    0,
    'receipts of webhooks are kept, for tenants without a limit of their own.',
    'Repeats of older ones count as new.',
  ),
  auditDays: setting(
    'AUDIT_RETENTION_DAYS',
    integer(0, 36_500)
      .refine((days) => days === 0 || days >= 30, '0, or at least 30')
      .default(0)
      .describe(
        'Days that entries of the audit log are kept, for tenants without a limit of their own: at least 30. 0: no limit.',
      ),
  ),
  exportFolder: setting(
    'RETENTION_EXPORT_DIR',
    text()
      .optional()
      .describe('Folder for receipts and audit entries: they are written there before they are removed for their age.'),
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
