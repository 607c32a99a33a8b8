import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type RedisServer, respondsToPing } from '@eas/testing/redis-server';
import type { System } from '../system/system.ts';
import type { Fault } from './fault.ts';

const backends = ['redis'] as const;

function redisOf({ bench }: System): RedisServer {
  if (!bench.stores.redis) throw new Error('REDIS_URL names the Redis: faults need one that the bench started');
  return bench.stores.redis;
}

export const redisRestart: Fault = {
  name: 'Redis restarts',
  backends,
  maxSeconds: 20,
  strike: (system, seconds) =>
    redisOf(system).restart(async () => {
      await expectSilence(redisOf(system));
      await sleep(seconds * 1_000);
    }),
};

export const flushAll: Fault = {
  name: 'FLUSHALL',
  backends,
  maxSeconds: 30,
  async strike(system, seconds) {
    const client = new Redis(redisOf(system).url);
    for (let time = 0; time < 3; time += 1) {
      const keys = await client.dbsize();
      if (keys === 0) throw new Error('there was nothing to flush');
      await client.flushall();
      await sleep((seconds * 1_000) / 3);
    }
    client.disconnect();
  },
};

export const redisPaused: Fault = {
  name: 'Redis does not answer',
  backends,
  maxSeconds: 30,
  async strike(system, seconds) {
    const { pid } = redisOf(system);
    process.kill(pid, 'SIGSTOP');
    await expectSilence(redisOf(system)).finally(async () => {
      await sleep(seconds * 1_000);
      process.kill(pid, 'SIGCONT');
    });
  },
};

async function expectSilence({ url }: RedisServer): Promise<void> {
  const { hostname, port } = new URL(url);
  if (await respondsToPing(hostname, Number(port), 500)) throw new Error('Redis still responds');
}

/** A limit on file sizes: the append-only file of Redis cannot grow, as on a full disk. */
export const fullDisk: Fault = {
  name: 'the disk of Redis is full',
  backends,
  maxSeconds: 30,
  async strike(system, seconds) {
    const limit = (size: string) =>
      execFileSync('prlimit', ['--pid', String(redisOf(system).pid), `--fsize=${size}:unlimited`]);
    limit('1');
    await sleep((seconds * 1_000) / 2);
    await expectRefusedWrites(redisOf(system).url);
    await sleep((seconds * 1_000) / 2);
    limit('unlimited');
  },
};

async function expectRefusedWrites(url: string): Promise<void> {
  const client = new Redis(url);
  const outcome = await client.set('failures:probe', '1').catch((error: Error) => error.message);
  client.disconnect();
  if (!outcome?.startsWith('MISCONF')) throw new Error(`the limit had no effect: Redis said ${outcome}`);
}
