// A separate whole system, for the demo and the contract tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePorts } from './free-ports.ts';

export { findFreePorts };

const root = resolve(import.meta.dirname, '../../../../..');
/** For hangs alone. */
const startTimeoutMs = 240_000;
const portCount = 7;

/** A system brought up for its caller alone: `npm start` on free ports and a temporary folder, empty at the start. */
export type OwnSystem = Ready & {
  apiKey: string;
  /** Of the supervisor, whose children are the apps and Postgres. */
  pid: number;
  /** Returns what it has printed and what its processes have logged. */
  stop(): Promise<string>;
};
/** `adminLink`: creates the first admin, and is printed unless settings name one. */
type Ready = { baseUrl: string; adminLink: string | undefined; printed(): string };

/** Starts one; `settings` are of the environment, as an operator would set them. `env` gives PATH and HOME alone. */
export async function startOwnSystem(
  env: NodeJS.ProcessEnv,
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'eas-own-'));
  const apiKey = `own_${randomBytes(24).toString('hex')}`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'apps/standalone/src/main.ts')],
    {
      cwd: root,
      env: {
        PATH: env['PATH'],
        HOME: env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: dataDir,
        PORT: String(await findFreePorts(portCount)),
        BOOTSTRAP_API_KEY: apiKey,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const logFolder = join(settings['DATA_DIR'] ?? dataDir, 'logs');
  const stop = async () => {
    await end(child);
    const logs = globSync('*', { cwd: logFolder }).map((file) => readFileSync(join(logFolder, file), 'utf8'));
    rmSync(dataDir, { recursive: true, force: true });
    return logs.join('\n');
  };
  try {
    const ready = await untilReady(child);
    return { ...ready, apiKey, pid: child.pid ?? 0, stop: async () => `${await stop()}\n${ready.printed()}` };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with the contents of the lines up to `ready <base url>`. */
function untilReady(child: ChildProcess): Promise<Ready> {
  return new Promise((done, fail) => {
    let output = '';
    const lastLines = () => output.trim().split('\n').slice(-5).join('\n');
    const timer = setTimeout(
      () => fail(new Error(`The system was not ready in time:\n${lastLines()}`)),
      startTimeoutMs,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const baseUrl = /^(?:.* )?ready (http\S+)$/m.exec(output)?.[1];
      if (!baseUrl) return;
      clearTimeout(timer);
      done({ baseUrl, adminLink: /^(?:.* )?admin (http\S+)/m.exec(output)?.[1], printed: () => output });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', fail);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`The system ended with exit code ${code}:\n${lastLines()}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exited;
  clearTimeout(timer);
}
