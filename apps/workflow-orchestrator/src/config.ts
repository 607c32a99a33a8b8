import {
  databaseSettings,
  healthSettings,
  inboundRetentionSettings,
  integer,
  leaseSettings,
  taskLimitSettings,
  loadSettings,
  loggingSettings,
  redisSettings,
  retentionSettings,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
} from '@eas/runtime';

export const configShape = {
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  shutdown: shutdownSettings,
  health: healthSettings(3004),
  leases: leaseSettings,
  retention: { ...retentionSettings, ...inboundRetentionSettings },
  limits: taskLimitSettings,
  workers: {
    concurrency: setting(
      'WORKFLOW_CONCURRENCY',
      integer(1, 100).default(4).describe('Number of workflow jobs processed at the same time.'),
    ),
  },
};
export type Config = Settings<typeof configShape>;

export const loadConfig = (env = process.env): Config => loadSettings(configShape, env);
