import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '@eas/runtime';
import { findFreePort } from '@eas/testing/redis-server';
import { profileFlags } from './child-task.ts';
import type { Stores } from './stores.ts';

const root = resolve(import.meta.dirname, '../..');

/** The app that relays events to the others comes last. */
export const workerApps = ['webhook-dispatcher', 'analytics-aggregator', 'workflow-orchestrator'] as const;
export type AppName = 'api-gateway' | 'webhook-receiver' | (typeof workerApps)[number] | 'limit-server';

const files: Record<AppName, string> = {
  'api-gateway': 'apps/api-gateway/src/main.ts',
  'webhook-receiver': 'apps/webhook-receiver/src/main.ts',
  'workflow-orchestrator': 'apps/workflow-orchestrator/src/main.ts',
  'webhook-dispatcher': 'apps/webhook-dispatcher/src/main.ts',
  'analytics-aggregator': 'apps/analytics-aggregator/src/main.ts',
  'limit-server': 'bench/limit-server.ts',
};

export type RunningApp = {
  name: AppName;
  url: string;
  /** Of its health port, which has the metrics. */
  healthUrl: string;
  pid: number;
  hasEnded(): boolean;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
};

/** By the names of environment variables; they replace what the bench sets. */
type Settings = Record<string, string>;

export type Apps = {
  apiKey: string;
  /** Starts an app as a process of its own, from this checkout or another one, and resolves when it is ready. */
  start(name: AppName, settings?: Settings, checkout?: string): Promise<RunningApp>;
  startAll(names: readonly AppName[], settings?: Settings): Promise<RunningApp[]>;
  running(): readonly RunningApp[];
  stopAll(): Promise<void>;
  close(): Promise<void>;
};

/** Starts apps on free ports. Their log lines, at level info, go to files that are thrown away at the end. */
export function createApps({ databaseUrl, redisUrl }: Stores): Apps {
  const folder = mkdtempSync(join(tmpdir(), 'eas-bench-logs-'));
  const apiKey = `bench_${randomBytes(24).toString('hex')}`;
  const shared = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_RATE_LIMIT: '10000000',
    AGENTS_PER_TENANT: '100000',
    API_KEYS_PER_TENANT: '100000',
    HOST: '127.0.0.1',
    HEALTH_HOST: '127.0.0.1',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    SHUTDOWN_SECONDS: '8',
    SHUTDOWN_DELAY_SECONDS: '0',
  };
  const running: RunningApp[] = [];

  async function start(name: AppName, settings: Settings = {}, checkout = root): Promise<RunningApp> {
    const [port, healthPort] = [await findFreePort(), await findFreePort()];
    const [url, healthUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${healthPort}`];
    const env = {
      ...shared,
      PORT: String(port),
      RECEIVER_PORT: String(port),
      BASE_URL: url,
      RECEIVER_URL: url,
      HEALTH_PORT: String(healthPort),
      ...settings,
    };
    const logFile = join(folder, `${name}.log`);
    const child = spawnApp(checkout, files[name], env, logFile);
    const forget = () => {
      if (running.includes(app)) running.splice(running.indexOf(app), 1);
    };
    const app: RunningApp = {
      name,
      url,
      healthUrl,
      pid: child.pid ?? 0,
      hasEnded: () => hasEnded(child),
      async stop() {
        forget();
        await stopChild(child);
      },
      async kill() {
        forget();
        await killChild(child);
      },
    };
    running.push(app);
    await waitUntilReady(child, `${healthUrl}/readyz`, logFile);
    return app;
  }

  const stopAll = async () => {
    await Promise.all([...running].map((app) => app.stop()));
  };
  return {
    apiKey,
    start,
    startAll: async (names, settings) => {
      const started: RunningApp[] = [];
      for (const name of names) started.push(await start(name, settings));
      return started;
    },
    running: () => running,
    stopAll,
    async close() {
      await stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

function spawnApp(checkout: string, file: string, env: NodeJS.ProcessEnv, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...nodeFlags, ...profileFlags, join(checkout, file)], {
    cwd: checkout,
    env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function waitUntilReady(child: ChildProcess, url: string, logFile: string): Promise<void> {
  for (const endsAt = Date.now() + 90_000; Date.now() < endsAt && child.exitCode === null;) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await sleep(50);
  }
  const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
  throw new Error(`an app did not become ready; its last lines:\n${lastLines}`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function stopChild(child: ChildProcess): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await killChild(child, 'SIGTERM');
  clearTimeout(timer);
}

async function killChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await exited;
}
