import {
  accessLogSettings,
  databaseSettings,
  healthSettings,
  loadSettings,
  loggingSettings,
  proxySettings,
  secretSettings,
  servingShutdownSettings,
  setting,
  type Settings,
  telemetrySettings,
  variables,
} from '@eas/runtime';
import { unsignedPolicy } from './unsigned-policy.ts';

export const configShape = {
  database: databaseSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  accessLog: accessLogSettings,
  shutdown: servingShutdownSettings,
  telemetry: telemetrySettings,
  health: healthSettings(3003),
  proxies: proxySettings,
  receiver: {
    host: variables.host((type) => type.default('127.0.0.1').describe('Address that the receiver listens on.')),
    port: variables.receiverPort((type) => type.default(3001).describe('Port of the webhook receiver.')),
    unsigned: setting(
      'RECEIVER_ALLOW_UNSIGNED',
      unsignedPolicy
        .default('false')
        .describe(
          'Whether to accept unsigned webhooks for the default tenant: true, false, or local (only from this machine).',
        ),
    ),
  },
};
export type Config = Settings<typeof configShape>;
export const loadConfig = (env = process.env): Config => loadSettings(configShape, env);
