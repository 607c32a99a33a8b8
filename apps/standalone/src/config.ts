import { resolve } from 'node:path';
import {
  firstAdminSettings,
  integer,
  keyList,
  loadSettings,
  loggingSettings,
  port,
  redisSettings,
  requireWholeFirstAdmin,
  setting,
  type Settings,
  text,
  url,
} from '@eas/runtime';

const root = resolve(import.meta.dirname, '../../..');
/** PORT and the six after it must exist. */
const lastFirstPort = 65_529;

export const configShape = {
  host: setting('HOST', text().default('127.0.0.1').describe('address at which the gateway listens')),
  port: setting('PORT', integer(1, lastFirstPort).default(3000).describe('port of the gateway')),
  receiverPort: setting('RECEIVER_PORT', port().optional().describe('port of the webhook receiver (PORT + 1)')),
  healthPort: setting(
    'HEALTH_PORT',
    integer(1, lastFirstPort + 2)
      .optional()
      .describe('first of the five health ports (PORT + 2)'),
  ),
  baseUrl: setting('BASE_URL', url('http:', 'https:').optional().describe('what clients call (http://HOST:PORT)')),
  dataDir: setting('DATA_DIR', text().default('.data').describe('folder of the embedded database, logs and made keys')),
  databaseUrl: setting(
    'DATABASE_URL',
    url('postgresql:', 'postgres:').optional().describe('the address of Postgres; unset: embedded under DATA_DIR'),
  ),
  redis: redisSettings,
  encryptionKeys: setting(
    'ENCRYPTION_KEY',
    keyList()
      .optional()
      .describe(
        '32 bytes in base64, or a list: the first seals, all open; required with DATABASE_URL, else made in DATA_DIR',
      ),
  ),
  bootstrapApiKey: setting(
    'BOOTSTRAP_API_KEY',
    text(24, 128).optional().describe('a first key with every scope; unset: made and kept in DATA_DIR/first-api-key'),
  ),
  bootstrapRateLimit: setting(
    'BOOTSTRAP_RATE_LIMIT',
    integer(1, 1_000_000_000).default(10_000).describe('requests a minute of the first key'),
  ),
  firstAdmin: firstAdminSettings,
  shutdownSeconds: setting(
    'SHUTDOWN_SECONDS',
    integer(1, 3_600).default(8).describe('seconds that work in hand gets after SIGTERM'),
  ),
  logging: loggingSettings,
};

type Read = Settings<typeof configShape>;

export type Config = Read & {
  /** The repository. */
  root: string;
  /** What the children get besides their own settings. */
  inheritedEnv: Readonly<Record<string, string | undefined>>;
  /** The supervisor waits for its children, then for Postgres. */
  shutdown: { seconds: number };
};

export function loadConfig(): Config {
  const read = loadSettings(configShape, process.env);
  requireWholeFirstAdmin(read.firstAdmin);
  return {
    ...read,
    root,
    dataDir: resolve(root, read.dataDir),
    inheritedEnv: process.env,
    shutdown: { seconds: read.shutdownSeconds + 1.7 },
  };
}
