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
} from '@eas/runtime';

export const configShape = {
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  shutdown: shutdownSettings,
  health: healthSettings(3004),
  leases: {
    seconds: setting(
      'LEASE_SECONDS',
      integer(1, 86_400).default(60).describe('how long a lease lasts without a sign of life, in seconds'),
    ),
  },
  workers: {
    concurrency: setting(
      'WORKFLOW_CONCURRENCY',
      integer(1, 100).default(4).describe('jobs of the queue workflow at a time'),
    ),
  },
};
export type Config = Settings<typeof configShape>;

export const loadConfig = (): Config => loadSettings(configShape, process.env);
