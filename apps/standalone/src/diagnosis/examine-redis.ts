import { once } from 'node:events';
import { unusable } from '@eas/core';
import type { RedisClient } from '@eas/queue/redis-connection';
import { clockSkew } from './clock-skew.ts';
import { fail, type Finding, ok, unless, warn } from './finding.ts';

const oldestVersion = [6, 2] as const;
const check = 'redis';

/** Each node of a cluster. */
export async function examineRedis(url: string): Promise<Finding[]> {
  const { connectRedis, nodesOf, parseInfo, refuseSingleClusterNode } = await import('@eas/queue/redis-connection');
  let redis: RedisClient | undefined;
  try {
    redis = connectRedis(url, 'producer', () => {});
    if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) });
    await refuseSingleClusterNode(redis);
    return (await Promise.all(nodesOf(redis).map((node) => examineNode(node, parseInfo)))).flat();
  } catch (error) {
    return [
      fail(
        check,
        unusable('Redis', 'REDIS_URL', url, error).message.replace(/\.$/, ''),
        'Start it, or correct REDIS_URL.',
      ),
    ];
  } finally {
    redis?.disconnect();
  }
}

type Info = Readonly<Record<string, string>>;
type Node = Exclude<RedisClient, { nodes: unknown }>;

async function examineNode(node: Node, parseInfo: (text: string) => Info): Promise<Finding[]> {
  const info = parseInfo(await node.info());
  const askedAt = Date.now();
  const [seconds, micros] = await node.time();
  return [
    examineVersion(info['redis_version'] ?? ''),
    examineMemory(info),
    examinePersistence(info),
    clockSkew('redis clock', Number(seconds) * 1_000 + Number(micros) / 1_000, askedAt, Date.now()),
  ];
}

function examineVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1]);
  const problem = isOld && fail(check, `Redis ${version} is too old`, `Use ${oldestVersion.join('.')} or newer.`);
  return unless(problem, check, `Redis ${version}, queues and rate limits are there`);
}

/** Evicted keys of a queue are lost jobs: the outbox sends them again, late. */
export function examineMemory(info: Info): Finding {
  const policy = info['maxmemory_policy'] ?? 'unknown';
  const isLimited = Number(info['maxmemory'] ?? 0) > 0;
  const message = `maxmemory-policy is ${policy}`;
  if (policy === 'noeviction') return ok('redis memory', message);
  const advice = 'Set maxmemory-policy to noeviction: evicted keys are lost jobs.';
  return isLimited ? fail('redis memory', message, advice) : warn('redis memory', message, advice);
}

export function examinePersistence(info: Info): Finding {
  const name = 'redis persistence';
  if (info['loading'] === '1') return warn(name, 'Redis is loading its data', 'Wait until it has.');
  if (info['aof_last_write_status'] === 'err')
    return fail(name, 'the last write of the append-only file failed', 'Look at the disk of Redis.');
  if (info['aof_enabled'] === '1') return ok(name, 'the append-only file is on');
  const advice = 'Set appendonly to yes: without it a restart loses jobs, which are sent again late.';
  return warn(name, 'the append-only file is off', advice);
}
