import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { eventually } from '@eas/testing';
import { findFreePorts } from '@eas/testing/own-system';
import { appNames } from '../../src/apps.ts';
import { keepAlive, type KeptAlive } from '../../src/supervision/keep-alive.ts';
import { spawnApp } from '../../src/supervision/spawn-app.ts';
import { startSystem, type System } from '../system.ts';

const apps = resolve(import.meta.dirname, '../../..');
const loopback = '127.0.0.1';
const furtherNames = ['api-gateway', 'workflow-orchestrator'];

/** A whole system with a second gateway and a second orchestrator on the same stores. */
export type Fleet = {
  /** One of each gateway. */
  baseUrls: readonly string[];
  apiKey: string;
  /** Kills any one of the seven processes as kill -9 does, and gives its name; all of them come back. */
  killAny(): string;
  stop(): Promise<void>;
};

export async function startFleet(stores: { DATABASE_URL: string; REDIS_URL: string | undefined }): Promise<Fleet> {
  const shared = {
    ...stores,
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: 'warn',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: `test-${randomBytes(24).toString('hex')}`,
    BOOTSTRAP_RATE_LIMIT: '1000000',
    TENANT_RATE_LIMIT: '10000000',
    LEASE_SECONDS: '5',
  };
  const system = await startSystem(shared);
  const further = await startFurther(system, shared);
  return {
    baseUrls: [system.baseUrl, further.baseUrl],
    apiKey: shared.BOOTSTRAP_API_KEY,
    killAny: () => killAny(system),
    async stop() {
      await Promise.all(further.kept.map((one) => one.stop(10_000)));
      await system.stop();
    },
  };
}

/** The second gateway and the second orchestrator, started again whenever they end. */
async function startFurther(
  system: System,
  shared: Record<string, string | undefined>,
): Promise<{ baseUrl: string; kept: KeptAlive[] }> {
  const port = await findFreePorts(3);
  const settings = {
    ...shared,
    HOST: loopback,
    PORT: String(port),
    BASE_URL: system.baseUrl,
    HEALTH_HOST: loopback,
    SHUTDOWN_SECONDS: '8',
    SHUTDOWN_DELAY_SECONDS: '0',
    RECEIVER_URL: `http://${loopback}:${Number(new URL(system.baseUrl).port) + 1}`,
    TRUST_PROXY: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  };
  const kept = furtherNames.map((name, index) => {
    const env = { ...settings, HEALTH_PORT: String(port + 1 + index) };
    const file = join(apps, name, 'src/main.ts');
    const start = async () => spawnApp({ file, cwd: apps, env, logFile: '/dev/null', onAlert: () => {} });
    return keepAlive({ name, start, onDeath: () => {} });
  });
  for (let index = 0; index < furtherNames.length; index += 1)
    await eventually(() => isReady(`http://${loopback}:${port + 1 + index}/readyz`));
  return { baseUrl: `http://${loopback}:${port}`, kept };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

function killAny(system: System): string {
  const pids = [...furtherPids(), ...appNames.map((name) => ({ name, pid: undefined }))];
  const { name, pid } = pids[Math.floor(Math.random() * pids.length)] ?? pids[0]!;
  try {
    if (pid === undefined) system.kill(name);
    else process.kill(pid, 'SIGKILL');
    return name;
  } catch {
    return `${name} (which was down)`;
  }
}

/** Of the second gateway and the second orchestrator, as far as they run at this moment. */
function furtherPids(): { name: string; pid: number }[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/);
    const name = /\/apps\/([\w-]+)\/src\/main\.ts$/.exec(line)?.[1];
    return name && furtherNames.includes(name) && Number(parent) === process.pid
      ? [{ name: `further ${name}`, pid: Number(pid) }]
      : [];
  });
}
