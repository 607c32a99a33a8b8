import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SilentProxy, startSilentProxy } from '@eas/testing/silent-proxy';
import { findFreePort } from '@eas/testing/redis-server';
import type { AppName, RunningApp } from '../../harness/apps.ts';
import type { Bench } from '../../harness/bench.ts';
import type { Disruption } from './disruption.ts';

const appNames = [
  'webhook-receiver',
  'api-gateway',
  'webhook-dispatcher',
  'analytics-aggregator',
  'workflow-orchestrator',
] as const satisfies readonly AppName[];
const copies = 2;
/** A folder with another version of the service, set up: the second processes are those of that version. */
const otherCheckout = process.env['FAILURES_OTHER_CHECKOUT'];
/** As the supervisor and Kubernetes do at first. */
const restartMs = 500;
const maxStarts = 20;

/** The library of the Debian package faketime: it moves the clock of a process that loads it. */
function findFakeTime(): string {
  const [file] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (!file) throw new Error('libfaketime is missing. On Debian: apt-get install faketime');
  return file;
}

/** A process that is started again when it was killed, at the same address. */
export type Supervised = { name: AppName; copy: number; url: string; app: RunningApp; kill(): Promise<void> };

/** Two processes of each app. The second ones reach the stores through proxies and have a clock that can be moved. */
export type System = {
  bench: Bench;
  processes: readonly Supervised[];
  urlsOf(name: AppName): string[];
  proxies: readonly SilentProxy[];
  /** When dispatchers were killed. */
  dispatcherKills: readonly Disruption[];
  /** Seconds that the clocks of the second processes differ from the right time. */
  moveClocks(seconds: number): void;
  close(): Promise<void>;
};

export async function startSystem(bench: Bench, settings: Record<string, string>): Promise<System> {
  const { apps, stores } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'eas-failures-'));
  const clockFile = join(folder, 'clock');
  const moveClocks = (seconds: number) => writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  moveClocks(0);
  const proxies: SilentProxy[] = [];
  const throughProxy = async (url: string): Promise<string> => {
    const proxy = await startSilentProxy(url);
    proxies.push(proxy);
    return proxy.url;
  };
  const seconds = {
    DATABASE_URL: await throughProxy(stores.databaseUrl),
    ...(stores.redisUrl ? { REDIS_URL: await throughProxy(stores.redisUrl) } : {}),
    LD_PRELOAD: findFakeTime(),
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const processes: Supervised[] = [];
  const dispatcherKills: Disruption[] = [];
  const urlsOf = (name: AppName) => processes.filter((process) => process.name === name).map(({ url }) => url);
  for (const name of appNames)
    for (let copy = 0; copy < copies; copy += 1) {
      const RECEIVER_URL = urlsOf('webhook-receiver').at(-1);
      processes.push(
        await supervise(bench, name, copy, {
          settings: { ...settings, ...(copy > 0 ? seconds : {}), ...(RECEIVER_URL ? { RECEIVER_URL } : {}) },
          onKill: (kill) => void (name === 'webhook-dispatcher' && dispatcherKills.push(kill)),
        }),
      );
    }
  return {
    bench,
    processes,
    urlsOf,
    proxies,
    dispatcherKills,
    moveClocks,
    async close() {
      await apps.stopAll();
      for (const proxy of proxies) proxy.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function supervise(
  { apps }: Bench,
  name: AppName,
  copy: number,
  { settings, onKill }: { settings: Record<string, string>; onKill(kill: Disruption): void },
): Promise<Supervised> {
  const port = String(await findFreePort());
  const checkout = copy > 0 ? otherCheckout : undefined;
  const start = () => apps.start(name, { ...settings, PORT: port, RECEIVER_PORT: port }, checkout);
  const supervised: Supervised = {
    name,
    copy,
    url: `http://127.0.0.1:${port}`,
    app: await start(),
    async kill() {
      const from = Date.now();
      await supervised.app.kill();
      onKill({ from, to: Date.now() });
      supervised.app = await startPatiently(start);
    },
  };
  return supervised;
}

/** A start fails while a store is away; it is tried again, as long as that may be. */
async function startPatiently(start: () => Promise<RunningApp>): Promise<RunningApp> {
  for (let tries = 0; ; tries += 1) {
    await sleep(restartMs);
    try {
      return await start();
    } catch (error) {
      if (tries === maxStarts) throw error;
    }
  }
}
