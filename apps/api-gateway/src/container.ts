import { resolve } from 'node:path';
import {
  cookiesFor,
  createAuthenticator,
  createSignIn,
  ensureBootstrapClient,
  ensureBootstrapKey,
  ensureFirstAdmin,
  sweepOauthRecords,
  sweepSignIns,
} from '@eas/access';
import { defaultTenantId } from '@eas/contracts';
import {
  createChangeWaits,
  createContext,
  type Database,
  openDatabase,
  openSecretBox,
  sweepLoads,
  whenFree,
} from '@eas/db';
import { createEgress, vetGitUrl, vetUrl } from '@eas/egress';
import {
  type CallBudget,
  createAccessLog,
  createStreams,
  gatewaySecrets,
  type HttpDeps,
  sweepKeptResponses,
  sweepRateWindows,
} from '@eas/http';
import { createChatTesting } from '@eas/chat';
import {
  accessLogParts,
  countCutBodies,
  countStreams,
  peerChecks,
  type ProcessParts,
  type ReadinessChecks,
  serviceVersion,
  startLoop,
  timeResponses,
  watchPool,
} from '@eas/runtime';
import { queuesOnUse } from '@eas/queue';
import { createWaitingClaims, recordCallers, recordSightings, type Sightings } from '@eas/tasks';
import { createEndpointTesting } from '@eas/webhooks';
import { advanceAtOnce, readShippedWorkflows } from '@eas/workflows';
import { gatewayApp } from './app.ts';
import { buildCallBudget } from './call-budget.ts';
import { type Config, configShape } from './config.ts';
import { connectSupervisor } from './supervisor/supervisor.ts';
import { createOauth } from './oauth/oauth.ts';
import type { RouteParts } from './routes/index.ts';
import { timeClaims } from './time-claims.ts';
import type { SystemFacts } from './system/admin-system.routes.ts';
import { showSettings } from './system/shown-settings.ts';

const hourMs = 3_600_000;
const workflowFolder = resolve(import.meta.dirname, '../../../prisma/seed/workflows');

export async function buildContainer(parts: ProcessParts<Config>) {
  const { config, logger, metrics, onShutdown, shutdownSignal } = parts;
  const database = await openDatabase({ ...config.database, applicationName: 'api-gateway', logger });
  onShutdown('database', () => database.close());
  watchPool(metrics, database.pool);
  const secrets = await openSecretBox({ database, ...config.secrets, logger });
  const { rowLimits: limits, leases, retention } = config;
  const shared = { database, secrets, limits, leaseSeconds: leases.seconds, retention };
  const makeContext: HttpDeps['makeContext'] = ({ logger: requestLogger, ...caller }) =>
    createContext({ ...shared, logger: requestLogger }, caller);
  database.consumeEarly('run.advance', (tx, events) =>
    advanceAtOnce(createContext({ ...shared, logger }, { tenantId: tx.tenantId, actor: { id: 'system' } }), tx, events),
  );
  const { key, rateLimit } = config.bootstrapKey;
  const system = { tenantId: defaultTenantId, actor: { id: 'system' } };
  const asSystem = createContext({ database, secrets, logger }, system);
  if (key) {
    const change = await whenFree(() => ensureBootstrapKey(asSystem, { key, rateLimit }));
    if (change.kind === 'replaced')
      logger.warn({ last_four: change.lastFour }, 'BOOTSTRAP_API_KEY changed, previous key revoked');
  }
  const { email, password } = config.firstAdmin;
  if (email && password) await whenFree(() => ensureFirstAdmin(asSystem, { email, password }));
  const { bootstrapClient } = config;
  if (bootstrapClient) await whenFree(() => ensureBootstrapClient(asSystem, bootstrapClient));
  const [receiverSecret = ''] = gatewaySecrets(config.secrets.encryptionKeys);
  const checks: ReadinessChecks = { database: () => database.ping() };
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const cookies = cookiesFor(baseUrl);
  const sightings = recordSightings({ database, logger, leaseSeconds: config.leases.seconds });
  onShutdown('sightings', () => sightings.close());
  const budget = buildCallBudget(parts, database);
  const app = gatewayApp({
    http: buildHttp(parts, {
      database,
      makeContext,
      budget,
      sightings,
      sessionCookie: cookies.session.name,
    }),
    checks,
    closing: shutdownSignal,
    system: systemFacts(parts),
    shippedWorkflows: readShippedWorkflows(workflowFolder),
    supervisor: config.localRunners && process.connected ? connectSupervisor(process) : undefined,
    peers: peerChecks(config.peerHealthUrls),
    receiver: { target: config.receiverUrl, secret: receiverSecret },
    baseUrl,
    cookies,
    signIn: createSignIn({ database, secrets, throttle: budget.attempt }),
    oauth: createOauth({
      database,
      secrets,
      encryptionKeys: config.secrets.encryptionKeys,
      baseUrl,
      budget,
      logger,
    }),
    waitingClaims: createWaitingClaims(database.listener, shutdownSignal, sightings, {
      perTenant: config.tenantLimits.waitingClaims,
      onClaimed: timeClaims(metrics),
    }),
    rateCeiling: config.tenantLimits.requests,
    ...endpointParts(parts),
    changeWaits: createChangeWaits(database.listener, shutdownSignal, { perTenant: config.tenantLimits.streams }),
  });
  startSweep(parts, 'kept responses', (signal) => sweepKeptResponses(database.db, signal));
  startSweep(parts, 'rate windows', (signal) => sweepRateWindows(database.db, signal));
  startSweep(parts, 'old tenant loads', (signal) => sweepLoads(database.db, signal));
  startSweep(parts, 'OAuth records', (signal) => sweepOauthRecords(database.db, signal));
  startSweep(parts, 'sign-ins', (signal) => sweepSignIns(database.db, signal));
  return { app, checks };
}

function systemFacts({ config, logger, onShutdown }: ProcessParts<Config>): SystemFacts {
  const { url, directUrl } = config.database;
  const queues = queuesOnUse({ redisUrl: config.redis.url, databaseUrl: directUrl ?? url, logger });
  onShutdown('queues', () => queues.close());
  return {
    version: serviceVersion,
    startedAt: new Date(),
    queueStore: config.redis.url ? 'redis' : 'postgres',
    settings: showSettings(configShape, config),
    queues,
  };
}

function endpointParts({ config, onShutdown }: ProcessParts<Config>): Pick<RouteParts, EndpointPart> {
  const { allowHttp, allowedCidrs, deniedPorts, secretMinLength } = config.webhooks;
  const egress = createEgress({ allowHttp, allowedCidrs, deniedPorts });
  onShutdown('egress', () => egress.close());
  return {
    endpointRules: { vetUrl: (url) => vetUrl(url, config.webhooks), secretMinLength },
    repositoryRules: { vetUrl: (url) => vetGitUrl(url, config.webhooks) },
    endpointTesting: createEndpointTesting(egress.send),
    chatTesting: createChatTesting(egress.send, config.chat.apiUrl),
  };
}
type EndpointPart = 'endpointRules' | 'repositoryRules' | 'endpointTesting' | 'chatTesting';

type HttpParts = {
  database: Database;
  makeContext: HttpDeps['makeContext'];
  budget: CallBudget;
  sightings: Sightings;
  sessionCookie: string;
};

function buildHttp(parts: ProcessParts<Config>, httpParts: HttpParts): HttpDeps {
  const { config, logger, metrics, onShutdown, shutdownSignal: closing } = parts;
  const { database, makeContext, budget, sessionCookie } = httpParts;
  const onKeyUse = recordCallers(httpParts.sightings);
  const authenticator = createAuthenticator({ database, logger, sessionCookie, onKeyUse });
  onShutdown('authenticator', () => authenticator.close());
  return {
    authenticate: authenticator.authenticate,
    tenantOf: authenticator.tenantOf,
    hasCredential: authenticator.hasCredential,
    budget,
    makeContext,
    logger,
    accessLog: createAccessLog(accessLogParts(logger, config)),
    corsOrigins: config.corsOrigins,
    onResponse: timeResponses(metrics),
    onBodyCut: countCutBodies(metrics),
    streams: createStreams({
      listener: database.listener,
      logger,
      closing,
      observer: countStreams(metrics),
      limits: { perTenant: config.tenantLimits.streams },
    }),
    trustProxy: config.proxies.trusted,
  };
}

function startSweep(
  { logger, onShutdown }: ProcessParts<Config>,
  name: string,
  sweep: (signal: AbortSignal) => Promise<number>,
): void {
  const loop = startLoop({ name, everyMs: hourMs, logger, run: sweep });
  onShutdown(name, () => loop.stop());
}
