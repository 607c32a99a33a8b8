import { isPlausibleKey } from '@eas/access';
import {
  accessLogSettings,
  bootstrapRateLimit,
  chatSettings,
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
  proxySettings,
  redisSettings,
  retentionSettings,
  requireWholeFirstAdmin,
  secretSettings,
  servingShutdownSettings,
  setting,
  type Settings,
  targetSettings,
  url,
  telemetrySettings,
  variables,
} from '@eas/runtime';
import { defaultTenantLimits } from '@eas/db';
import { bootstrapClient } from './oauth/bootstrap-client.ts';

const perTenant = (name: string, most: number, what: string) =>
  setting(name, integer(1, 100_000).default(most).describe(`Maximum number of ${what}.`));

export const configShape = {
  host: variables.host((type) => type.default('127.0.0.1').describe('Address that the public port listens on.')),
  port: variables.port((type) => type.default(3000).describe('Public port.')),
  baseUrl: variables.baseUrl((type) => type.describe('Public URL of the service, used in links and Location headers.')),
  receiverUrl: setting(
    'RECEIVER_URL',
    url('http:', 'https:')
      .default('http://127.0.0.1:3001')
      .describe('URL of the webhook receiver, to which /webhook/* is forwarded.'),
  ),
  proxies: proxySettings,
  localRunners: variables.localRunners((type) =>
    type
      .default(false)
      .describe(
        'Whether the supervisor that started the gateway starts coding agents on its machine. `npm start` sets it; without such a supervisor it has no effect.',
      ),
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    originList().default([]).describe('Origins whose pages can call the API from a browser, comma-separated.'),
  ),
  authFailuresPerMinute: setting(
    'AUTH_FAILURES_PER_MINUTE',
    integer(1, 1_000_000)
      .default(300)
      .describe('Maximum number of failed authentications per minute and client address before the response is 429.'),
  ),
  peerHealthUrls: setting(
    'PEER_HEALTH_URLS',
    list()
      .default([])
      .describe('Health URLs of the other apps (name=url, …). The public /readyz includes their state.'),
  ),
  bootstrapKey: {
    key: variables.bootstrapKey((type) =>
      type
        .refine(isPlausibleKey, 'a key with a valid checksum after eas_')
        .optional()
        .describe('First API key, with every scope. Replaced when the setting changes.'),
    ),
    rateLimit: bootstrapRateLimit,
  },
  tenantLimits: {
    requests: setting(
      'TENANT_RATE_LIMIT',
      integer(1, 1_000_000_000)
        .optional()
        .describe(
          'Rate limit of a tenant, in requests per minute, spread evenly. If unset: 10000 or BOOTSTRAP_RATE_LIMIT, whichever is greater.',
        ),
    ),
    streams: setting(
      'STREAMS_PER_TENANT',
      integer(1, 1_000)
        .default(200)
        .describe('Maximum number of open event streams, and of requests waiting for events, per tenant and gateway.'),
    ),
    waitingClaims: setting(
      'WAITING_CLAIMS_PER_TENANT',
      integer(1, 10_000).default(2_000).describe('Maximum number of waiting claims per tenant and gateway.'),
    ),
  },
  /** How many a tenant may have. */
  rowLimits: {
    ...taskLimitSettings,
    agents: perTenant('AGENTS_PER_TENANT', defaultTenantLimits.agents, 'agents per tenant'),
    keys: perTenant('API_KEYS_PER_TENANT', defaultTenantLimits.keys, 'active API keys per tenant'),
    endpoints: perTenant('ENDPOINTS_PER_TENANT', defaultTenantLimits.endpoints, 'webhook endpoints per tenant'),
    integrations: perTenant(
      'INTEGRATIONS_PER_TENANT',
      defaultTenantLimits.integrations,
      'inbound integrations per tenant, and of outgoing ones',
    ),
    workflows: perTenant(
      'WORKFLOWS_PER_TENANT',
      defaultTenantLimits.workflows,
      'workflow definitions per tenant, including the shipped ones',
    ),
    projects: perTenant('PROJECTS_PER_TENANT', defaultTenantLimits.projects, 'projects per tenant'),
    profiles: perTenant('PROFILES_PER_TENANT', defaultTenantLimits.profiles, 'profiles per tenant'),
    policies: perTenant('POLICIES_PER_TENANT', defaultTenantLimits.policies, 'permission policies per tenant'),
    runners: perTenant('RUNNERS_PER_TENANT', defaultTenantLimits.runners, 'online runners per tenant'),
    budgets: perTenant('BUDGETS_PER_TENANT', defaultTenantLimits.budgets, 'budgets per tenant'),
  },
  bootstrapClient: setting(
    'BOOTSTRAP_OAUTH_CLIENT',
    bootstrapClient()
      .optional()
      .describe('First OAuth client, with every scope, as JSON. Replaced when the setting changes.'),
    'secret',
  ),
  chat: chatSettings,
  firstAdmin: firstAdminSettings,
  leases: leaseSettings,
  retention: retentionSettings,
  webhooks: {
    ...targetSettings,
    secretMinLength: setting(
      'WEBHOOK_SECRET_MIN',
      integer(1, 256).default(16).describe('Minimum length of a webhook secret set by the client.'),
    ),
  },
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  accessLog: accessLogSettings,
  shutdown: servingShutdownSettings,
  telemetry: telemetrySettings,
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
