import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis | Cluster;

/**
 * `producer` fails fast: a command gets at most 5 s while Redis is unavailable. `worker` waits and reconnects for ever.
 * If Redis sends nothing while commands wait, the connection is closed and opened again: a worker blocks for up to 10
 * s.
 */
export type RedisRole = 'producer' | 'worker';

const roleOptions: Record<RedisRole, RedisOptions> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000, socketTimeout: 5_000 },
  worker: { maxRetriesPerRequest: null, socketTimeout: 15_000 },
};

const retryStrategy = (times: number) => Math.min(2_000, 50 * 2 ** Math.min(times, 10));

/**
 * Connects to REDIS_URL: `redis://` or `rediss://`; several separated by commas are nodes of one Cluster, with the
 * credentials and TLS of the first. One address with `?cluster=true` is a Cluster too. The caller listens to `error`
 * and disconnects.
 */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): RedisClient {
  const urls = url.split(',').map((one) => new URL(one.trim()));
  const [first] = urls;
  if (!first) throw new Error('REDIS_URL is empty');
  const options: RedisOptions = {
    ...roleOptions[role],
    retryStrategy,
    keepAlive: 10_000,
    ...(first.username ? { username: decodeURIComponent(first.username) } : {}),
    ...(first.password ? { password: decodeURIComponent(first.password) } : {}),
    ...(first.protocol === 'rediss:' ? { tls: {} } : {}),
  };
  const client =
    urls.length === 1 && first.searchParams.get('cluster') !== 'true'
      ? new Redis({ ...options, ...address(first), db: Number(first.pathname.slice(1) || 0) })
      : new Cluster(urls.map(address), {
          clusterRetryStrategy: retryStrategy,
          // By default nodes are addressed by their IP address, which no certificate contains.
          dnsLookup: (host, callback) => callback(null, host),
          enableOfflineQueue: role === 'worker',
          redisOptions: options,
        });
  client.on('error', onError);
  return client;
}

/**
 * Throws when the server is a node of a Cluster but the client is not a Cluster client: most commands would fail with
 * MOVED.
 */
export async function refuseSingleClusterNode(client: RedisClient): Promise<void> {
  if (client instanceof Cluster || !(await client.info('cluster')).includes('cluster_enabled:1')) return;
  throw new Error('it is a node of a Cluster. Add ?cluster=true to the address, or set the addresses of several nodes');
}

/** The server, or each that holds a part of a Cluster. */
export const nodesOf = (client: RedisClient): Redis[] =>
  client instanceof Cluster ? client.nodes('master') : [client];

/** What INFO says: lines `name:value` between comments. */
export const parseInfo = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .filter((line) => line.includes(':') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

function address(url: URL): { host: string; port: number } {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) };
}
