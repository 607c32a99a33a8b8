import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@eas/db';
import { startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import { migrate } from '@eas/db/migrate';
import { createLogger } from '@eas/runtime';
import { findOnPath } from '@eas/testing/programs';
import { type RedisServer, startRedisServer } from '@eas/testing/redis-server';
import type { Backend, Options } from './options.ts';
import { say } from './report.ts';

export type Stores = {
  backend: Backend;
  databaseUrl: string;
  redisUrl: string | undefined;
  /** The Redis that this run started. */
  redis: RedisServer | undefined;
  database: Database;
  pids: Record<string, number>;
  /** Ends the Postgres that this run started, and starts it on the same port. Undefined: DATABASE_URL named it. */
  restartPostgres: RestartPostgres | undefined;
  stop(): Promise<void>;
};

/** `whileStopped` runs between stop and start. `isKilled`: only its first process is killed; others may go on. */
type RestartPostgres = (restart?: { whileStopped?: () => Promise<void>; isKilled?: boolean }) => Promise<void>;

/** Postgres (embedded unless DATABASE_URL), migrated, and Redis where it is asked for and found. */
export async function openStores(options: Options): Promise<Stores> {
  const postgres = await openPostgres();
  const redis = await openRedis(options).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  await migrate(postgres.url);
  const logger = createLogger({ name: 'bench', level: 'error' });
  const database = await openDatabase({
    url: postgres.url,
    poolSize: 2,
    statementMs: 60_000,
    applicationName: 'bench',
    logger,
  });
  return {
    backend: redis ? 'redis' : 'postgres',
    databaseUrl: postgres.url,
    redisUrl: redis?.url,
    redis: redis?.server,
    database,
    get pids() {
      return { ...postgres.pids, ...redis?.pids };
    },
    restartPostgres: postgres.restart,
    async stop() {
      await database.close();
      await redis?.stop();
      await postgres.stop();
    },
  };
}

type Server = { url: string; pids: Record<string, number>; stop(): Promise<void> };

async function openPostgres(): Promise<Server & { restart?: RestartPostgres }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, pids: {}, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'eas-bench-'));
  let server = await startEmbeddedPostgres({ dataDir: folder, log: say });
  return {
    url: server.url,
    get pids() {
      return { postgres: server.processId };
    },
    async restart({ whileStopped, isKilled = false } = {}) {
      if (isKilled) process.kill(server.processId, 'SIGKILL');
      else await server.stop();
      await server.exited;
      await whileStopped?.();
      server = await startEmbeddedPostgres({ dataDir: folder, port: server.port, log: say });
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openRedis({ backend }: Options): Promise<(Server & { server?: RedisServer }) | undefined> {
  if (backend === 'postgres') return undefined;
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, pids: {}, stop: async () => {} };
  const executable = findOnPath('redis-server');
  if (executable) {
    const server = await startRedisServer(executable);
    return {
      url: server.url,
      server,
      get pids() {
        return { redis: server.pid };
      },
      stop: server.stop,
    };
  }
  if (backend === 'redis') throw new Error('No redis-server on PATH and no REDIS_URL.');
  say('no redis-server on PATH: queues run on Postgres');
  return undefined;
}
