import {
  databaseSettings,
  healthSettings,
  integer,
  loadSettings,
  loggingSettings,
  redisSettings,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
  telemetrySettings,
} from '@eas/runtime';

export const configShape = {
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  telemetry: telemetrySettings,
  shutdown: shutdownSettings,
  health: healthSettings(3006),
  workers: {
    // Writers of one tenant take turns: more than a few jobs at a time serve several tenants only.
    concurrency: setting(
      'ANALYTICS_CONCURRENCY',
      integer(1, 100).default(4).describe('Number of analytics jobs processed at the same time.'),
    ),
  },
};
export type Config = Settings<typeof configShape>;
export const loadConfig = (env = process.env): Config => loadSettings(configShape, env);
