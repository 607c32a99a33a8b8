import { isPlausibleKey } from '@eas/access';
import {
  databaseSettings,
  firstAdminSettings,
  healthSettings,
  integer,
  leaseSettings,
  taskLimitSettings,
  list,
  loadSettings,
  loggingSettings,
  originList,
  port,
  proxySettings,
  redisSettings,
  requireWholeFirstAdmin,
  secretSettings,
  setting,
  type Settings,
  shutdownSettings,
  targetSettings,
  text,
  url,
} from '@eas/runtime';
import { defaultTenantLimits } from '@eas/db';
import { bootstrapClient } from './oauth/bootstrap-client.ts';

const perTenant = (name: string, most: number, what: string) =>
  setting(name, integer(1, 100_000).default(most).describe(`maximum number of ${what}`));

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
  corsOrigins: setting(
    'CORS_ORIGINS',
    originList().default([]).describe('origins whose pages may call the API from a browser'),
  ),
  authFailuresPerMinute: setting(
    'AUTH_FAILURES_PER_MINUTE',
    integer(1, 1_000_000).default(300).describe('wrong credentials of one address before its answer is 429'),
  ),
  peerHealthUrls: setting(
    'PEER_HEALTH_URLS',
    list().default([]).describe('health ports of the other apps (name=url, …): the public /readyz shows their state'),
  ),
  bootstrapKey: {
    key: setting(
      'BOOTSTRAP_API_KEY',
      text(24, 128)
        .refine(isPlausibleKey, 'a right checksum after eas_')
        .optional()
        .describe('a first key with every scope; replaced when the setting changes'),
    ),
    rateLimit: setting(
      'BOOTSTRAP_RATE_LIMIT',
      integer(1, 1_000_000_000).default(10_000).describe('requests a minute of the bootstrap key'),
    ),
  },
  tenantLimits: {
    requests: setting(
      'TENANT_RATE_LIMIT',
      integer(1, 1_000_000_000)
        .optional()
        .describe(
          'requests a minute of a whole tenant, spread evenly; unset: 10000, or BOOTSTRAP_RATE_LIMIT where that is more',
        ),
    ),
    streams: setting(
      'STREAMS_PER_TENANT',
      integer(1, 1_000).default(200).describe('event streams of a tenant that one gateway holds open'),
    ),
    waitingClaims: setting(
      'WAITING_CLAIMS_PER_TENANT',
      integer(1, 10_000).default(2_000).describe('claims of a tenant that may wait for work in one gateway'),
    ),
  },
  /** How many a tenant may have. */
  rowLimits: {
    ...taskLimitSettings,
    agents: perTenant('AGENTS_PER_TENANT', defaultTenantLimits.agents, 'agents of a tenant'),
    keys: perTenant(
      'API_KEYS_PER_TENANT',
      defaultTenantLimits.keys,
      'API keys of a tenant that are neither revoked nor expired',
    ),
    endpoints: perTenant('ENDPOINTS_PER_TENANT', defaultTenantLimits.endpoints, 'webhook endpoints of a tenant'),
    integrations: perTenant(
      'INTEGRATIONS_PER_TENANT',
      defaultTenantLimits.integrations,
      'inbound integrations of a tenant; outgoing ones have the same limit',
    ),
    workflows: perTenant(
      'WORKFLOWS_PER_TENANT',
      defaultTenantLimits.workflows,
      'workflow definitions of a tenant, shipped ones included',
    ),
  },
  bootstrapClient: setting(
    'BOOTSTRAP_OAUTH_CLIENT',
    bootstrapClient()
      .optional()
      .describe('a first OAuth client with every scope, as JSON; replaced when the setting changes'),
  ),
  firstAdmin: firstAdminSettings,
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
type Loaded = Settings<typeof configShape>;
export type Config = Omit<Loaded, 'tenantLimits'> & { tenantLimits: Loaded['tenantLimits'] & { requests: number } };

/** Ten times what the enterprise tier allows. */
const defaultTenantRequests = 10_000;

export function loadConfig(env = process.env): Config {
  const config = loadSettings(configShape, env);
  requireWholeFirstAdmin(config.firstAdmin);
  const { tenantLimits, bootstrapKey } = config;
  const requests = tenantLimits.requests ?? Math.max(defaultTenantRequests, bootstrapKey.rateLimit);
  return { ...config, tenantLimits: { ...tenantLimits, requests } };
}
