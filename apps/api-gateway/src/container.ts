import { createAuthenticator, ensureBootstrapKey } from '@eas/access';
import { defaultTenantId } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import { createContext, type Database, openDatabase } from '@eas/db';
import { vetUrl } from '@eas/egress';
import { type DoorDeps, forwardWebhooks, sweepKeptAnswers } from '@eas/http';
import { peerChecks, type ProcessParts, type ReadinessChecks, startLoop, timeAnswers } from '@eas/runtime';
import { createWaitingRoom } from '@eas/tasks';
import { gatewayApp } from './app.ts';
import type { Config } from './config.ts';
import { buildRateLimiter } from './rate-limit.ts';

const keptAnswersSweepMs = 3_600_000;

/** Builds what the process works with, and says how each part is put away again. */
export async function buildContainer(parts: ProcessParts<Config>) {
  const { config, logger, onShutdown, shutdownSignal } = parts;
  const database = await openDatabase({ ...config.database, applicationName: 'api-gateway', logger });
  onShutdown('database', () => database.close());
  const secrets = createSecretBox(config.secrets.encryptionKeys);
  const makeContext: DoorDeps['makeContext'] = ({ logger: requestLogger, ...caller }) =>
    createContext({ database, secrets, logger: requestLogger }, caller);
  const { key, rateLimit } = config.bootstrapKey;
  const asSystem = { tenantId: defaultTenantId, actor: { id: 'system' } };
  if (key) await ensureBootstrapKey(createContext({ database, secrets, logger }, asSystem), { key, rateLimit });
  const checks: ReadinessChecks = { database: () => database.ping() };
  const app = gatewayApp({
    door: buildDoor(parts, database, makeContext),
    checks: { ...peerChecks(config.peerHealthUrls), ...checks },
    baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}`,
    room: createWaitingRoom(database.listener, shutdownSignal),
    leaseSeconds: config.leases.seconds,
    endpointRules: {
      vetUrl: (url) => vetUrl(url, config.webhooks),
      secretMinLength: config.webhooks.secretMinLength,
    },
  });
  startSweep(parts, database);
  return { app, checks };
}

function buildDoor(parts: ProcessParts<Config>, database: Database, makeContext: DoorDeps['makeContext']): DoorDeps {
  const { config, logger, metrics, onShutdown } = parts;
  const authenticator = createAuthenticator({ database, logger });
  onShutdown('authenticator', () => authenticator.close());
  return {
    authenticate: authenticator.authenticate,
    makeContext,
    limit: buildRateLimiter(parts, database),
    logger,
    onAnswered: timeAnswers(metrics),
    trustProxy: config.proxies.trusted,
    mounts: [forwardWebhooks({ target: config.receiverUrl, logger })],
  };
}

function startSweep({ logger, onShutdown }: ProcessParts<Config>, { db }: Database): void {
  const loop = startLoop({
    name: 'kept answers',
    everyMs: keptAnswersSweepMs,
    logger,
    run: (signal) => sweepKeptAnswers(db, signal),
  });
  onShutdown('kept answers', () => loop.stop());
}
