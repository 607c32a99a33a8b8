import { isLoopback } from '@eas/contracts';
import { isSet } from '@eas/runtime';
import type { Config } from './config.ts';

export type AppPlan = { name: string; healthUrl: string; env: Record<string, string> };

export type SystemPlan = { baseUrl: string; apps: AppPlan[]; notices: string[] };

export type PlannedPort = { host: string; port: number; purpose: string };

/** In the order of their health ports. */
export const appNames = [
  'api-gateway',
  'webhook-receiver',
  'workflow-orchestrator',
  'webhook-dispatcher',
  'analytics-aggregator',
] as const;

const loopback = '127.0.0.1';
const loopbackRanges = '127.0.0.0/8,::1/128';

export function planPorts(config: Config): PlannedPort[] {
  const receiverPort = config.receiverPort ?? config.port + 1;
  const firstHealthPort = config.healthPort ?? config.port + 2;
  return [
    { host: config.host, port: config.port, purpose: 'PORT' },
    { host: loopback, port: receiverPort, purpose: 'RECEIVER_PORT' },
    ...appNames.map((name, index) => ({ host: loopback, port: firstHealthPort + index, purpose: `health of ${name}` })),
  ];
}

export const baseUrlOf = ({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>): string =>
  baseUrl ?? `http://${hostInUrl(host)}:${port}`;

/** Whether coding agents may be started here: they work on this machine, so by default only if callers are local. */
export const allowsLocalRunners = ({ localRunners, host }: Pick<Config, 'localRunners' | 'host'>): boolean =>
  localRunners ?? isLoopback(host);

/** Addresses and settings of the five apps. Settings that a person has set are never replaced. */
export function planSystem(config: Config, made: { databaseUrl: string; encryptionKey: string }): SystemPlan {
  const receiverPort = config.receiverPort ?? config.port + 1;
  const firstHealthPort = config.healthPort ?? config.port + 2;
  const baseUrl = baseUrlOf(config);
  const healthUrls = appNames.map((_, index) => `http://${loopback}:${firstHealthPort + index}`);
  const isLocal = isLoopback(config.host);
  const targets = isLocal ? { ...localTargets, ...ownPorts(config, made.databaseUrl) } : {};
  const shared = {
    DATABASE_URL: made.databaseUrl,
    ENCRYPTION_KEY: made.encryptionKey,
    BASE_URL: baseUrl,
    HEALTH_HOST: loopback,
    SHUTDOWN_SECONDS: String(config.shutdownSeconds),
    LOG_LEVEL: config.logging.level,
    // No proxy or load balancer needs time to notice.
    ...unlessSet(config, { SHUTDOWN_DELAY_SECONDS: '0' }),
  };
  const own: Record<(typeof appNames)[number], Record<string, string>> = {
    'api-gateway': {
      HOST: config.host,
      PORT: String(config.port),
      RECEIVER_URL: `http://${loopback}:${receiverPort}`,
      LOCAL_RUNNERS: String(allowsLocalRunners(config)),
      PEER_HEALTH_URLS: appNames.flatMap((name, index) => (index > 0 ? `${name}=${healthUrls[index]}` : [])).join(','),
      ...unlessSet(config, { TRUST_PROXY: loopbackRanges, ...targets }),
    },
    'webhook-receiver': {
      HOST: loopback,
      PORT: String(receiverPort),
      RECEIVER_PORT: String(receiverPort),
      ...unlessSet(config, { TRUST_PROXY: loopbackRanges, ...(isLocal ? { RECEIVER_ALLOW_UNSIGNED: 'local' } : {}) }),
    },
    'workflow-orchestrator': isLocal ? unlessSet(config, localPlatform) : {},
    'webhook-dispatcher': unlessSet(config, targets),
    'analytics-aggregator': {},
  };
  return {
    baseUrl,
    apps: appNames.map((name, index) => ({
      name,
      healthUrl: healthUrls[index] ?? '',
      env: { ...shared, HEALTH_PORT: String(firstHealthPort + index), ...own[name] },
    })),
    notices: noticesOf(own['webhook-dispatcher'], own['webhook-receiver']),
  };
}

/**
 * A developer's endpoints are on this machine. The gateway checks targets at registration, the dispatcher at sending.
 * So may be the task platform and the source host that the orchestrator calls, by http if their settings say so.
 */
const localPlatform = { WEBHOOK_ALLOWED_CIDRS: loopbackRanges };
const localTargets = { WEBHOOK_ALLOW_HTTP: 'true', ...localPlatform };

/** Where the service itself listens on this machine, its database included. */
function ownPorts(config: Config, databaseUrl: string): Record<string, string> {
  const database = new URL(databaseUrl);
  const ports = planPorts(config).map(({ port }) => String(port));
  const own = isLoopback(database.hostname) && database.port !== '' ? [...ports, database.port] : ports;
  return { WEBHOOK_DENIED_PORTS: own.join(',') };
}

function unlessSet({ inheritedEnv }: Config, defaults: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !isSet(inheritedEnv, name)));
}

function noticesOf(dispatcher: Record<string, string>, receiver: Record<string, string>): string[] {
  const notices: string[] = [];
  if (dispatcher['WEBHOOK_ALLOW_HTTP']) notices.push('webhooks to http URLs are allowed (WEBHOOK_ALLOW_HTTP)');
  if (dispatcher['WEBHOOK_ALLOWED_CIDRS']) notices.push('webhooks to this machine are allowed (WEBHOOK_ALLOWED_CIDRS)');
  if (receiver['RECEIVER_ALLOW_UNSIGNED']) {
    notices.push('unsigned calls to /webhook/taskplatform from this machine are accepted (RECEIVER_ALLOW_UNSIGNED)');
  }
  return notices;
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return loopback;
  return host.includes(':') ? `[${host}]` : host;
}
