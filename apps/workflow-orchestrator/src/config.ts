import {
  databaseSettings,
  healthSettings,
  inboundRetentionSettings,
  integer,
  leaseSettings,
  taskLimitSettings,
  tenantHistorySettings,
  loadSettings,
  loggingSettings,
  redisSettings,
  retentionSettings,
  sessionRetentionSettings,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
  targetSettings,
  url,
  telemetrySettings,
} from '@eas/runtime';

export const configShape = {
  database: databaseSettings,
  diskGb: setting(
    'DATABASE_DISK_GB',
    integer(1, 10_000_000)
      .optional()
      .describe(
        'Size of the disk that Postgres writes to, in GB (a volume of 100Gi has 107). Postgres does not say it: with it, an alert fires before the database and its WAL fill the disk.',
      ),
  ),
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  telemetry: telemetrySettings,
  shutdown: shutdownSettings,
  health: healthSettings(3004),
  leases: leaseSettings,
  retention: {
    ...retentionSettings,
    ...sessionRetentionSettings,
    ...inboundRetentionSettings,
    ...tenantHistorySettings,
  },
  limits: taskLimitSettings,
  platform: {
    apiUrl: setting(
      'PLATFORM_API_URL',
      url('https:', 'http:')
        .default('https://api.clickup.com/api/v2')
        .describe(
          'Address of the API of task platforms, called for integrations that have a token. A private address must be in WEBHOOK_ALLOWED_CIDRS.',
        ),
    ),
    sourceHostApiUrl: setting(
      'SOURCE_HOST_API_URL',
      url('https:', 'http:')
        .default('https://api.github.com')
        .describe(
          'Address of the API of the source host, called for integrations that have a token; of GitHub Enterprise Server `https://<host>/api/v3`. A private address must be in WEBHOOK_ALLOWED_CIDRS.',
        ),
    ),
    allowedCidrs: targetSettings.allowedCidrs,
  },
  workers: {
    concurrency: setting(
      'WORKFLOW_CONCURRENCY',
      integer(1, 100)
        .default(4)
        .describe(
          'Number of workflow jobs of one tenant that are processed at the same time; of all tenants, twice as many.',
        ),
    ),
  },
};
export type Config = Settings<typeof configShape>;

export const loadConfig = (env = process.env): Config => loadSettings(configShape, env);
