import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { noteSettings, refuseSecrets, refuseSecretsIn } from '@eas/testing';
import { hangChannel } from '@eas/testing/hang-channel';
import { findFreePorts } from '@eas/testing/own-system';

/** Ports that a system takes, one after another. */
const portCount = 7;
const main = resolve(import.meta.dirname, '../src/main.ts');

export type System = {
  baseUrl: string;
  apiKey: string;
  /** Kills one of the five apps as kill -9 does; the supervisor brings it back. */
  kill(app: string): void;
  stop(): Promise<void>;
};

/** Runs the whole system as `npm start` does, on a given database and on free ports. */
export async function startSystem(
  env: Record<string, string | undefined> & { DATABASE_URL: string; REDIS_URL?: string | undefined },
): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'eas-system-'));
  const apiKey = env['BOOTSTRAP_API_KEY'] ?? `test-${randomBytes(24).toString('hex')}`;
  const port = await findFreePorts(portCount);
  const settings = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: 'info',
    // No lease is lost while its task is worked on, however busy the machine is.
    LEASE_SECONDS: '600',
    WEBHOOK_RETRY_SCHEDULE: '1,1,1,2,2,2,5,5,5',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_RATE_LIMIT: '1000000',
    DATA_DIR: dataDir,
    PORT: String(port),
    ...env,
  };
  noteSettings(settings);
  const supervisor = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await untilReady(supervisor);
  const printLast = () =>
    void writeSync(2, ['What the system said last:', ...output.printed.slice(-40), ''].join('\n'));
  subscribe(hangChannel, printLast);
  return {
    baseUrl: output.baseUrl,
    apiKey,
    kill: (app) => process.kill(pidOf(supervisor, app), 'SIGKILL'),
    async stop() {
      unsubscribe(hangChannel, printLast);
      const isOver = once(supervisor, 'exit');
      supervisor.kill('SIGTERM');
      await isOver;
      refuseSecrets(output.printed.join('\n'));
      refuseSecretsIn(settings.DATA_DIR);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves at the line `ready <base url>`; rejects with what was printed when the process ends before. */
function untilReady(supervisor: ChildProcess): Promise<{ baseUrl: string; printed: readonly string[] }> {
  return new Promise((fulfil, reject) => {
    const printed: string[] = [];
    for (const stream of [supervisor.stdout, supervisor.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (line.startsWith('ready ')) fulfil({ baseUrl: line.slice('ready '.length), printed });
      });
    }
    supervisor.once('exit', (code) => reject(new Error(`the system ended with ${code}:\n${printed.join('\n')}`)));
  });
}

function pidOf(supervisor: ChildProcess, app: string): number {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  for (const line of listed.split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/);
    if (Number(parent) === supervisor.pid && line.includes(`/${app}/`)) return Number(pid);
  }
  throw new Error(`${app} does not run`);
}
