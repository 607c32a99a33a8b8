import {
  databaseSettings,
  healthSettings,
  integer,
  leaseSettings,
  list,
  loadSettings,
  loggingSettings,
  port,
  proxySettings,
  redisSettings,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
  targetSettings,
  text,
  url,
} from '@eas/runtime';

export const configShape = {
  host: setting('HOST', text(1, 255).default('127.0.0.1').describe('address that the public port listens on')),
  port: setting('PORT', port().default(3000).describe('public port')),
  baseUrl: setting(
    'BASE_URL',
    url('http:', 'https:').optional().describe('what clients call; used in links and Location'),
  ),
  receiverUrl: setting(
    'RECEIVER_URL',
    url('http:', 'https:').default('http://127.0.0.1:3001').describe('where /webhook/* is passed through to'),
  ),
  proxies: proxySettings,
  peerHealthUrls: setting(
    'PEER_HEALTH_URLS',
    list().default([]).describe('health ports of the other apps (name=url, …): the public /readyz asks them too'),
  ),
  bootstrapKey: {
    key: setting(
      'BOOTSTRAP_API_KEY',
      text(24, 128).optional().describe('a first key with every scope; replaced when the setting changes'),
    ),
    rateLimit: setting(
      'BOOTSTRAP_RATE_LIMIT',
      integer(1, 1_000_000_000).default(10_000).describe('requests a minute of the bootstrap key'),
    ),
  },
  leases: leaseSettings,
  webhooks: {
    ...targetSettings,
    secretMinLength: setting(
      'WEBHOOK_SECRET_MIN',
      integer(1, 256).default(1).describe('shortest secret that an endpoint may bring'),
    ),
  },
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  shutdown: shutdownSettings,
  health: healthSettings(3002),
};
export type Config = Settings<typeof configShape>;

export const loadConfig = (): Config => loadSettings(configShape, process.env);
