import {
  chatSettings,
  databaseSettings,
  healthSettings,
  integer,
  loadSettings,
  loggingSettings,
  numberList,
  redisSettings,
  retentionSettings,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
  targetSettings,
  telemetrySettings,
  variables,
} from '@eas/runtime';
import { defaultRetrySeconds } from '@eas/webhooks';

export const configShape = {
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  telemetry: telemetrySettings,
  shutdown: shutdownSettings,
  health: healthSettings(3005),
  retention: retentionSettings,
  chat: {
    ...chatSettings,
    baseUrl: variables.baseUrl((type) =>
      type.describe('Public URL of the service, used in links of chat messages. If unset, they have none.'),
    ),
  },
  webhooks: {
    ...targetSettings,
    retrySeconds: setting(
      'WEBHOOK_RETRY_SCHEDULE',
      numberList()
        .default([...defaultRetrySeconds])
        .describe('Seconds to wait before the second, third, … attempt of a delivery, comma-separated.'),
    ),
    concurrency: setting(
      'WEBHOOK_CONCURRENCY',
      integer(1, 1_000)
        .default(64)
        .describe('Number of webhook jobs processed at the same time, shared by all tenants.'),
    ),
  },
};
export type Config = Settings<typeof configShape>;
export const loadConfig = (env = process.env): Config => loadSettings(configShape, env);
