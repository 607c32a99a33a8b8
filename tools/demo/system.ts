import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where the demo plays. `isOwn`: brought up for it alone, empty at the start. */
export type System = { baseUrl: string; apiKey: string; isOwn: boolean; stop(): Promise<void> };

const root = resolve(import.meta.dirname, '../..');
const startTimeoutMs = 120_000;
/** Ports that a system of its own takes, one after another. */
const portCount = 7;

/** The system at BASE_URL, else the one that runs here, else one of its own on a temporary folder. */
export async function findSystem(env: NodeJS.ProcessEnv): Promise<System> {
  const keyFile = join(resolve(root, env['DATA_DIR'] ?? '.data'), 'first-api-key');
  const apiKey = env['API_KEY'] ?? env['BOOTSTRAP_API_KEY'] ?? readKey(keyFile);
  const baseUrl = (env['BASE_URL'] ?? `http://127.0.0.1:${env['PORT'] ?? 3000}`).replace(/\/$/, '');
  const isUp = await isReady(baseUrl);
  if (env['BASE_URL'] && !isUp) throw new Error(`Nothing is ready at ${baseUrl} (BASE_URL).`);
  if (env['BASE_URL'] && !apiKey) throw new Error(`Set API_KEY: there is no ${keyFile}.`);
  if (isUp && apiKey) return { baseUrl, apiKey, isOwn: false, stop: async () => {} };
  return startOwn(env);
}

function readKey(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => {});
  return answer?.ok ?? false;
}

async function startOwn(env: NodeJS.ProcessEnv): Promise<System> {
  const dataDir = mkdtempSync(join(tmpdir(), 'eas-demo-'));
  const apiKey = `demo_${randomBytes(24).toString('hex')}`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'apps/standalone/src/main.ts')],
    {
      cwd: root,
      env: {
        PATH: env['PATH'],
        HOME: env['HOME'],
        DATA_DIR: dataDir,
        PORT: String(await findFreePorts()),
        BOOTSTRAP_API_KEY: apiKey,
        WEBHOOK_RETRY_SCHEDULE: '1,2,5,10',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const stop = async () => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return { baseUrl: await readyAddress(child), apiKey, isOwn: true, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with the address of the line `ready <base url>`. */
function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let output = '';
    const lastLines = () => output.trim().split('\n').slice(-5).join('\n');
    const timer = setTimeout(
      () => fail(new Error(`The system was not ready in time:\n${lastLines()}`)),
      startTimeoutMs,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /^(?:.* )?ready (http\S+)$/m.exec(output)?.[1];
      if (!address) return;
      clearTimeout(timer);
      done(address);
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

/** The first of as many free ports in a row as the system needs. */
async function findFreePorts(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = Array.from({ length: portCount }, (_, index) => first + index);
    const areFree = await Promise.all(ports.map(isFree));
    if (areFree.every(Boolean)) return first;
    await sleep(10);
  }
  throw new Error(`There are no ${portCount} free ports in a row.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
