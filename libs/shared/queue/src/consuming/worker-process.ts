import { createContext, type Database, openDatabase, openSecretBox, type TenantLimits } from '@eas/db';
import {
  type databaseSettings,
  drainMs,
  type IdleWatch,
  type ProcessParts,
  type ReadinessChecks,
  type redisSettings,
  type secretSettings,
  type Settings,
  watchPool,
} from '@eas/runtime';
import { openQueues, type OpenQueues } from '../backends/open-queues.ts';
import { createIdleWatch } from './idle-watch.ts';
import type { QueueWorker, WorkerOptions } from './worker.ts';

export type WorkerProcessConfig = Settings<{
  database: typeof databaseSettings;
  redis: typeof redisSettings;
  secrets: typeof secretSettings;
}>;

export type WorkerProcess = {
  database: Database;
  queues: OpenQueues;
  /** A context that acts as the service itself. */
  makeContext: WorkerOptions['makeContext'];
  checks: ReadinessChecks;
  /** For loops that poll the database. */
  idleWatch: IdleWatch;
};

/** Connects; the connections end when the process shuts down. `limits` apply to what its contexts create. */
export async function openWorkerProcess(
  { name, config, logger, metrics, onShutdown }: ProcessParts<WorkerProcessConfig>,
  limits?: TenantLimits,
): Promise<WorkerProcess> {
  const { url, directUrl } = config.database;
  const database = await openDatabase({ ...config.database, applicationName: name, logger });
  onShutdown('database', () => database.close());
  watchPool(metrics, database.pool);
  const idleWatch = createIdleWatch(database, logger);
  onShutdown('idle watch', () => idleWatch.stop());
  const queues = await openQueues({ redisUrl: config.redis.url, databaseUrl: directUrl ?? url, logger, metrics });
  onShutdown('queues', () => queues.close());
  const secrets = await openSecretBox({ database, ...config.secrets, logger });
  return {
    database,
    queues,
    makeContext: ({ tenantId, signal, logger: jobLogger }) =>
      createContext({ database, secrets, logger: jobLogger, limits }, { tenantId, actor: { id: 'system' }, signal }),
    checks: { database: () => database.ping(), queue: () => queues.ping() },
    idleWatch,
  };
}

/** The worker's last job ends, or is cut off, before the connections do. */
export function drainAtShutdown({ onShutdown }: Pick<ProcessParts<unknown>, 'onShutdown'>, worker: QueueWorker): void {
  onShutdown('worker', (remainingMs) => worker.drain(drainMs(remainingMs)));
}
