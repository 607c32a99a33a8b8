import { resolve } from 'node:path';
import {
  bootstrapRateLimit,
  databaseSettings,
  firstAdminSettings,
  integer,
  loadSettings,
  loggingSettings,
  redisSettings,
  requireWholeFirstAdmin,
  retentionSettings,
  setting,
  type Settings,
  SettingsError,
  text,
  url,
  variables,
} from '@eas/runtime';
import { databaseAddress } from './database-address.ts';

const root = resolve(import.meta.dirname, '../../..');
/** PORT and the six after it must exist. */
const lastFirstPort = 65_529;

export const configShape = {
  host: variables.host((type) => type.default('127.0.0.1').describe('Address that the gateway listens on.')),
  port: variables.port(() => integer(1, lastFirstPort).default(3000).describe('Port of the gateway.')),
  receiverPort: variables.receiverPort(() =>
    integer(1, 65_535).optional().describe('Port of the webhook receiver. Default: PORT + 1.'),
  ),
  healthPort: variables.healthPort(() =>
    integer(1, lastFirstPort + 2)
      .optional()
      .describe('First of the five health ports. Default: PORT + 2.'),
  ),
  baseUrl: variables.baseUrl((type) => type.describe('Public URL of the service. Default: http://HOST:PORT.')),
  dataDir: setting(
    'DATA_DIR',
    text().default('.data').describe('Folder for the embedded database, logs and generated keys.'),
  ),
  databaseUrl: variables.databaseUrl((type) =>
    type.optional().describe('URL of Postgres. If unset, an embedded Postgres runs under DATA_DIR.'),
  ),
  databaseDirectUrl: databaseSettings.directUrl,
  migrateDatabaseUrl: setting(
    'MIGRATE_DATABASE_URL',
    url('postgresql:', 'postgres:')
      .optional()
      .describe(
        'URL of the same database as the role that owns its tables, for migrations and backups. The apps then use DATABASE_URL with a role that may not change tables (db:roles). Default: DATABASE_DIRECT_URL, else DATABASE_URL.',
      ),
    'without_password',
  ),
  redis: redisSettings,
  encryptionKeys: variables.encryptionKeys((type) =>
    type
      .optional()
      .describe(
        'Encryption keys: 32 bytes in base64, comma-separated. The first one encrypts, all decrypt. Required with DATABASE_URL, otherwise generated in DATA_DIR.',
      ),
  ),
  bootstrapApiKey: variables.bootstrapKey((type) =>
    type
      .optional()
      .describe('First API key, with every scope. If unset, a key is created and kept in DATA_DIR/first-api-key.'),
  ),
  bootstrapRateLimit,
  firstAdmin: firstAdminSettings,
  localRunners: variables.localRunners((type) =>
    type
      .optional()
      .describe(
        'Whether operators can start coding agents on this machine from the dashboard. Default: true if HOST is a loopback address, otherwise false.',
      ),
  ),
  shutdownSeconds: variables.shutdownSeconds((type) =>
    type.default(8).describe('Seconds that running work has to finish after SIGTERM.'),
  ),
  /** Of the operator commands; the apps read their own. */
  retention: retentionSettings,
  logging: loggingSettings,
};

type Read = Settings<typeof configShape>;

export type Config = Read & {
  root: string;
  /** What the children get in addition to their own settings. */
  inheritedEnv: Readonly<Record<string, string | undefined>>;
  /** The supervisor waits for its children, then for Postgres. */
  shutdown: { seconds: number };
};

export function loadConfig(): Config {
  const read = loadSettings(configShape, process.env);
  requireWholeFirstAdmin(read.firstAdmin);
  const orphan = read.databaseUrl ? undefined : databaseAddress(read, true)?.setting;
  if (orphan) throw new SettingsError([{ variable: 'DATABASE_URL', expected: `an address, because ${orphan} is set` }]);
  return {
    ...read,
    root,
    dataDir: resolve(root, read.dataDir),
    inheritedEnv: process.env,
    shutdown: { seconds: read.shutdownSeconds + 1.7 },
  };
}
