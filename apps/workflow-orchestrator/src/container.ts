import { createContext, defaultTenantLimits, openDatabase, openSecretBox } from '@eas/db';
import { openQueues, watchOutbox } from '@eas/queue';
import type { ProcessParts } from '@eas/runtime';
import type { Config } from './config.ts';

export type Container = Awaited<ReturnType<typeof buildContainer>>;

/** Builds what the process works with, and says how each part is put away again. */
export async function buildContainer({ config, logger, metrics, onShutdown }: ProcessParts<Config>) {
  const database = await openDatabase({
    ...config.database,
    applicationName: 'workflow-orchestrator',
    logger,
  });
  onShutdown('database', () => database.close());
  const queues = await openQueues({
    redisUrl: config.redis.url,
    databaseUrl: config.database.directUrl ?? config.database.url,
    logger,
    metrics,
  });
  onShutdown('queues', () => queues.close());
  watchOutbox(metrics, database);
  const secrets = await openSecretBox({ database, ...config.secrets, logger });
  return {
    database,
    queues,
    makeContext: ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
      createContext(
        { database, secrets, logger, limits: { ...defaultTenantLimits, ...config.limits } },
        { tenantId, actor: { id: 'system' }, signal },
      ),
    checks: { database: () => database.ping(), queue: () => queues.ping() },
  };
}
