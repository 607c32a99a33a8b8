import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { connectRedis } from '@eas/queue';
import type { Options } from '../harness/options.ts';
import type { Stores } from '../harness/stores.ts';
import { peerVersions } from '../peers/versions.ts';

/** How results were made. */
export type RunDescription = {
  date: string;
  commit: string;
  has_uncommitted_changes: boolean;
  backend: string;
  options: { seconds: number; rounds: number; connections: number; environment: Record<string, string> };
  machine: { processor: string; cores: number; memory_gb: number };
  versions: { node: string; postgres: string; redis?: string; peers: Record<string, string> };
};

/** To be called before the first scenario: the commit and changes are those of the apps that start. */
export async function describeRun(stores: Stores, options: Options): Promise<RunDescription> {
  const { backend, database, redisUrl } = stores;
  const [row] = await database.db.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return {
    date: `${new Date().toISOString().slice(0, 16)}Z`,
    commit: git('rev-parse', '--short', 'HEAD'),
    // Results that are not committed yet are no change of what is measured.
    has_uncommitted_changes: git('status', '--porcelain', '--', ':/', ':(top,exclude)bench/results') !== '',
    backend,
    options: {
      seconds: options.roundSeconds,
      rounds: options.rounds,
      connections: options.connections,
      environment: settingsOf(process.env),
    },
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memory_gb: Math.round(totalmem() / 2 ** 30),
    },
    versions: {
      node: process.version,
      postgres: row?.version ?? 'unknown',
      ...(redisUrl ? { redis: await redisVersion(redisUrl) } : {}),
      peers: peerVersions(process.env),
    },
  };
}

/** What is set for the bench, without what is secret: of BENCH_PEER only the name, of addresses only that they are set. */
export function settingsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const settings = Object.entries(env).flatMap(([name, value = '']): [string, string][] => {
    if (name === 'BENCH_PEER') return [[name, value.replace(/:.*/s, '')]];
    if (name === 'DATABASE_URL' || name === 'REDIS_URL') return [[name, 'set']];
    return name.startsWith('BENCH_') ? [[name, value]] : [];
  });
  return Object.fromEntries(settings.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function redisVersion(url: string): Promise<string> {
  const redis = connectRedis(url, 'worker', () => {});
  try {
    return /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
