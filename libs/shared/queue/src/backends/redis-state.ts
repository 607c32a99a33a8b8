import { once } from 'node:events';
import { firstToEnd, peerValidity, type Validity } from '@eas/db';
import { connectTimeoutMs, type RedisState, within } from './backend.ts';
import { connectRedis, nodesOf, parseInfo, type RedisClient } from './redis-connection.ts';

export async function readRedisState(client: RedisClient): Promise<RedisState> {
  const nodes = nodesOf(client).map(async (node) => stateOf(parseInfo(await node.info())));
  return joinStates(await Promise.all(nodes));
}

export function joinStates(nodes: readonly RedisState[]): RedisState {
  const shareOf = ({ memoryUsed = 0, memoryMax = Infinity }: RedisState) => memoryUsed / memoryMax;
  const [fullest] = nodes.toSorted((a, b) => shareOf(b) - shareOf(a));
  if (!fullest) throw new Error('the Cluster has no nodes');
  return {
    ...fullest,
    evictedKeys: nodes.reduce((sum, { evictedKeys }) => sum + evictedKeys, 0),
    isSaved: {
      rdb: nodes.every(({ isSaved }) => isSaved.rdb),
      aof: nodes.every(({ isSaved }) => isSaved.aof),
    },
  };
}

/** Providers leave out some of what INFO has. */
export function stateOf(info: Readonly<Record<string, string>>): RedisState {
  const numberOf = (name: string) => Number(info[name] ?? 0) || undefined;
  const isWritten = (name: string) => (info[name] ?? 'ok') === 'ok';
  return {
    memoryUsed: numberOf('used_memory'),
    memoryMax: numberOf('maxmemory') ?? numberOf('total_system_memory'),
    evictedKeys: numberOf('evicted_keys') ?? 0,
    isSaved: {
      rdb: isWritten('rdb_last_bgsave_status'),
      aof: isWritten('aof_last_write_status') && isWritten('aof_last_bgrewrite_status'),
    },
  };
}

/** Of a new connection to each node; the one that ends first. Undefined without TLS. */
export async function readRedisCertificate(url: string): Promise<Validity | undefined> {
  const client = connectRedis(url, 'producer', () => {});
  try {
    if (client.status !== 'ready') await within(connectTimeoutMs, 'connecting to Redis', once(client, 'ready'));
    const nodes = nodesOf(client);
    // A Cluster connects to its nodes when they are first used.
    await Promise.all(nodes.map((node) => node.ping()));
    return firstToEnd(nodes.map(({ stream }) => peerValidity(stream)));
  } finally {
    client.disconnect();
  }
}
