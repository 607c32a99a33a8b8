// A Redis Cluster for tests: nodes on free ports of 127.0.0.1, each with its part of the slots.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@eas/testing';
import { Redis } from 'ioredis';

const slots = 16_384;

export const hasRedisServer = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

export type RedisCluster = {
  /** The address of each node. */
  urls: string[];
  stop(): Promise<void>;
};

type Node = { port: number; client: Redis; stop(): Promise<void> };

export async function startRedisCluster(size: number): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'eas-cluster-'));
  const nodes: Node[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    while (nodes.length < size) nodes.push(await startNode(folder));
    await Promise.all(nodes.map((node, index) => giveSlots(node, index, size)));
    const [first] = nodes;
    for (const { client } of nodes) await client.call('CLUSTER', 'MEET', '127.0.0.1', String(first?.port));
    for (const { client } of nodes) await eventually(async () => isFull(await client.cluster('INFO'), size));
    return { urls: nodes.map(({ port }) => `redis://127.0.0.1:${port}`), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startNode(folder: string): Promise<Node> {
  const port = await findBusPort();
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    'cluster-config-file': `nodes-${port}.conf`,
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  let isOver = false;
  const ended = Promise.race([once(child, 'close'), once(child, 'error')]).finally(() => (isOver = true));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const client = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: 1 });
  client.on('error', () => {});
  const stop = async () => {
    process.off('exit', kill);
    client.disconnect();
    kill();
    await ended;
  };
  const responds = () =>
    client.ping().then(
      () => true,
      () => false,
    );
  await eventually(async () => {
    if (isOver) throw new Error('redis-server ended');
    return responds();
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { port, client, stop };
}

/** Nodes communicate on their port + 10,000. */
async function findBusPort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    if (port + 10_000 < 65_536) return port;
  }
}

async function giveSlots({ client }: Node, index: number, size: number): Promise<void> {
  const start = Math.ceil((slots * index) / size);
  const end = Math.ceil((slots * (index + 1)) / size);
  await client.call('CLUSTER', 'ADDSLOTS', ...Array.from({ length: end - start }, (_, n) => String(start + n)));
}

const isFull = (info: string, size: number): boolean =>
  info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
