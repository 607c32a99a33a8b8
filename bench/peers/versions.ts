import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWebhookPeer } from './webhook-peer.ts';

const packages = {
  'DBOS Transact': '@dbos-inc/dbos-sdk',
  Restate: '@restatedev/restate-server',
};

/** Versions of the peers that a whole table has: those of the lock file, and the one that BENCH_PEER names. */
export function peerVersions(env: NodeJS.ProcessEnv): Record<string, string> {
  const text = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  const lock = JSON.parse(text) as { packages: Record<string, { version: string }> };
  const installed = Object.entries(packages).map(([name, path]) => [
    name,
    lock.packages[`node_modules/${path}`]?.version,
  ]);
  const peer = readWebhookPeer(env['BENCH_PEER']);
  const named = peer ? [[peer.name, env['BENCH_PEER_VERSION']]] : [];
  return Object.fromEntries([...installed, ...named]) as Record<string, string>;
}
