import { createMetrics, type Metrics } from '@eas/runtime';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { type RedisServer, startRedisServer } from '@eas/testing/redis-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type OpenQueues, openQueues } from './open-queues.ts';
import { watchRedis } from './redis-metrics.ts';
import { readRedisCertificate } from './redis-state.ts';

const test = useTestDatabase();
const program = findOnPath('redis-server');
const notRun = leftOut('redis-server', program !== undefined);

const valueOf = async (metrics: Metrics, series: string): Promise<number | undefined> => {
  const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
};

(notRun ? describe.skip : describe)(`the memory of Redis${notRun}`, () => {
  let server: RedisServer;
  let admin: Redis;
  let queues: OpenQueues;
  const metrics = createMetrics({ withDefaults: false });
  beforeAll(async () => {
    server = await startRedisServer(program ?? 'redis-server');
    admin = new Redis(server.url);
    queues = await openQueues({ redisUrl: server.url, databaseUrl: test.url, logger: silentLogger });
    watchRedis(metrics, queues, 0);
  });
  afterAll(async () => {
    await queues?.close();
    admin?.disconnect();
    await server?.stop();
  });

  it('is read with its limit, or with the memory of the machine', async () => {
    const used = (await valueOf(metrics, 'eas_redis_memory_used_bytes')) ?? 0;
    expect(used).toBeGreaterThan(500_000);
    expect(await valueOf(metrics, 'eas_redis_memory_max_bytes')).toBeGreaterThan(100_000_000);
    await admin.config('SET', 'maxmemory', '64mb');
    await admin.set('filler', 'x'.repeat(10_000_000));
    expect(await valueOf(metrics, 'eas_redis_memory_max_bytes')).toBe(64 * 1_024 * 1_024);
    expect(await valueOf(metrics, 'eas_redis_memory_used_bytes')).toBeGreaterThan(used + 9_000_000);
    expect(await valueOf(metrics, 'eas_redis_persistence_ok{kind="aof"}')).toBe(1);
  });

  it('counts the keys that were evicted since the first reading, also over a restart of Redis', async () => {
    const evict = async (names: string) => {
      await admin.config('SET', 'maxmemory', '64mb');
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      for (let n = 0; n < 100; n += 1) await admin.set(`${names} ${n}`, 'x'.repeat(1_000_000));
    };
    await evict('before');
    const later = createMetrics({ withDefaults: false });
    watchRedis(later, queues, 0);
    const evicted = async () => (await valueOf(later, 'eas_redis_evicted_keys_total')) ?? 0;
    expect(await evicted()).toBe(0);
    await evict('after');
    await evicted();
    const first = await evicted();
    expect(first).toBeGreaterThanOrEqual(100);
    await server.restart();
    await eventually(async () => (await queues.readRedisState?.().catch(() => undefined))?.evictedKeys === 0);
    await evict('restarted');
    await evicted();
    expect(await evicted()).toBeGreaterThan(first);
  });

  it('has no certificate without TLS', async () => {
    expect(await readRedisCertificate(server.url)).toBeUndefined();
  });
});

it('has no values where the queues are on Postgres', async () => {
  const metrics = createMetrics({ withDefaults: false });
  watchRedis(metrics, { readRedisState: undefined });
  expect(await valueOf(metrics, 'eas_redis_memory_used_bytes')).toBeUndefined();
  expect(await valueOf(metrics, 'eas_redis_memory_max_bytes')).toBeUndefined();
  expect(await metrics.registry.getSingleMetricAsString('eas_redis_persistence_ok')).not.toContain('{');
});
