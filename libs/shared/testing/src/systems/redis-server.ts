// A Redis for tests and benchmarks: free port, temporary folder, removed afterwards.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-ports.ts';

export { findFreePort };

export type RedisServer = {
  url: string;
  pid: number;
  /** Restarts it gracefully on the same port with its data. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

/** True if something at host:port responds to a Redis PING (or asks for a password) within timeoutMs. */
export function respondsToPing(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write('PING\r\n'));
    const finish = (isAlive: boolean): void => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('data', (response) => finish(/^\+PONG|^-NOAUTH/.test(response.toString('latin1'))));
  });
}

/** Starts `redis-server` with AOF and noeviction; throws with its last words if it does not respond within a minute. */
export async function startRedisServer(executable: string): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'eas-redis-'));
  const port = await findFreePort();
  let server = await run(executable, folder, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    async restart(whileStopped) {
      await server.end('SIGTERM');
      await whileStopped?.();
      server = await run(executable, folder, port);
    },
    async stop() {
      await server.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Running = { pid: number; end(signal: NodeJS.Signals): Promise<void> };

async function run(executable: string, folder: string, port: number): Promise<Running> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  // A write beyond the file size limit should fail as on a full disk, not end the process.
  const ignoring = ['-c', 'trap "" XFSZ; exec "$0" "$@"', executable];
  const child = spawn('sh', [...ignoring, ...args, '--maxmemory-policy', 'noeviction', '--daemonize', 'no'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a terminal's Ctrl-C must not end it before the tests have released it
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-2000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', (error) => (output += error.message));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.off('exit', kill);
    child.kill(signal);
    await exited;
  };
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && child.exitCode === null;) {
    if (await respondsToPing('127.0.0.1', port, 500)) return { pid: child.pid ?? 0, end };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await end('SIGKILL');
  throw new Error(`${executable} did not start: ${output.trim() || 'it said nothing'}`);
}
