import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueName, Send } from '@eas/contracts';
import { eventually, silentLogger } from '@eas/testing';
import { leftOut } from '@eas/testing/programs';
import type { BackendWorker } from './backend.ts';
import { type OpenQueues, openQueues } from './open-queues.ts';
import { hasRedisServer, type RedisCluster, startRedisCluster } from './redis-cluster.fixture.ts';
import { connectRedis } from './redis-connection.ts';

const notRun = leftOut('redis-server', hasRedisServer());
const databaseUrl = 'postgresql://127.0.0.1:1/none';

const batch = { tenant_id: 'tnt_a', event_ids: ['evt_1'] };
const jobs: Record<QueueName, Send> = {
  workflow: { job: 'inbound.apply', payload: batch },
  webhooks: { job: 'delivery.send', payload: { ...batch, endpoint_id: 'whk_a' } },
  analytics: { job: 'facts.record', payload: batch },
};
const names = Object.keys(jobs) as QueueName[];
const ofEach = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));

(notRun ? describe.skip : describe)(`queues on a Redis Cluster of three nodes${notRun}`, () => {
  let cluster: RedisCluster;
  let queues: OpenQueues | undefined;
  const workers: BackendWorker[] = [];
  const open = async (redisUrl: string) =>
    (queues = await openQueues({
      redisUrl,
      databaseUrl,
      namespace: await spreadNamespace(cluster),
      logger: silentLogger,
    }));

  beforeAll(async () => {
    cluster = await startRedisCluster(3);
  });
  afterEach(async () => {
    await Promise.all(workers.map(({ worker }) => worker.close()));
    await Promise.all(workers.splice(0).map(({ disconnect }) => disconnect()));
    await queues?.close();
    queues = undefined;
  });
  afterAll(() => cluster?.stop());

  it.each([
    ['the addresses of all nodes', () => cluster.urls.join(',')],
    ['one address that names the Cluster', () => `${cluster.urls[0]}/?cluster=true`],
  ])('take, count, delay, repeat and end the jobs of every queue, opened with %s', async (_, url) => {
    const { all, send, depths, oldestSeconds, ping, openWorker } = await open(url());
    await ping();
    await send(names.flatMap((name) => Array.from({ length: 20 }, () => jobs[name])));
    for (const queue of all()) {
      const { job, payload } = jobs[queue.name as QueueName];
      await queue.add(job, payload, { delay: 500 });
      await queue.add(job, { ...payload, tenant_id: 'tnt_again' }, { attempts: 2, backoff: 500 });
    }
    expect(await depths()).toEqual(ofEach({ waiting: 21, active: 0, delayed: 1, failed: 0 }));
    await eventually(async () => Object.values(await oldestSeconds()).every((seconds) => seconds > 0));

    const again: string[] = [];
    for (const name of names) {
      const run: BackendRun = async ({ data, attemptsStarted }) => {
        if (data.tenant_id !== 'tnt_again') return;
        again.push(`${name} ${attemptsStarted}`);
        if (attemptsStarted === 1) throw new Error('not yet');
      };
      workers.push(openWorker(name, run, { concurrency: 2 }));
    }
    const completed = () => Promise.all(all().map((queue) => queue.getCompletedCount()));
    await eventually(async () => (await completed()).every((count) => count === 22));
    expect(again.sort()).toEqual(names.flatMap((name) => [`${name} 1`, `${name} 2`]).sort());
    expect(await depths()).toEqual(ofEach({ waiting: 0, active: 0, delayed: 0, failed: 0 }));
    expect(await oldestSeconds()).toEqual(ofEach(0));
  });

  it('are refused with one address that does not name the Cluster', async () => {
    await expect(open(cluster.urls[1] ?? '')).rejects.toThrow(
      /\(REDIS_URL\) cannot be used: it is a node of a Cluster\. Add \?cluster=true to the address/,
    );
  });
});

type BackendRun = (job: { data: { tenant_id: string }; attemptsStarted: number }) => Promise<void>;

/** Separates this run from others, with a queue on each node. */
async function spreadNamespace({ urls }: RedisCluster): Promise<string> {
  const client = connectRedis(urls.join(','), 'worker', () => {});
  try {
    for (;;) {
      const namespace = `test_${randomBytes(6).toString('hex')}`;
      const slots = await Promise.all(names.map((name) => client.cluster('KEYSLOT', `{${namespace}.${name}}`)));
      if (new Set(slots.map((slot) => Math.floor((slot * urls.length) / 16_384))).size === urls.length)
        return namespace;
    }
  } finally {
    client.disconnect();
  }
}
