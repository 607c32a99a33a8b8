import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stopLeftover } from './leftover.ts';
import { makeCluster, readPassword, superuser } from './make-cluster.ts';
import { serverEnv } from './os-user.ts';
import { findClusterPaths, type ClusterPaths } from './cluster-paths.ts';
import { EmbeddedPostgresError, errnoOf } from './plain-failure.ts';

export { hasCluster } from './cluster-paths.ts';
export { EmbeddedPostgresError } from './plain-failure.ts';
export { runningEmbeddedUrl } from './running-url.ts';

export type EmbeddedPostgresOptions = {
  /** Folder for the database, its password and its log; created if it is missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1; a free one by default. */
  port?: number;
  log: (line: string) => void;
  /** False for data that is not needed after this run, such as that of tests: nothing waits for the disk. */
  isDurable?: boolean;
};

export type EmbeddedPostgres = {
  /** Address of the database `eas` with the superuser's name and password. */
  url: string;
  port: number;
  processId: number;
  isNew: boolean;
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<void>;
  isRunning(): boolean;
  /** Ends sessions and stops; without a checkpoint, to be recovered at the next start, when `graceMs` is not enough. */
  stop(graceMs?: number): Promise<void>;
};

const databaseName = 'eas';
const maxLogBytes = 10_000_000;
/** Recovery after a crash may take this long. */
const startTimeoutMs = 120_000;

/** Small, and as durable as Postgres is by default: fsync and synchronous_commit stay on. */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %a ',
};

/** For tests, whose systems and suites share it. */
const hastySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
};

/**
 * Runs a real Postgres from the installed packages, until it is stopped or this process exits. A server that a killed run
 * left on the folder is stopped first; as root it runs under another user. Throws EmbeddedPostgresError with a sentence for a person.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw explainFileError(error, options.dataDir);
  }
}

async function start({ dataDir, port, log, isDurable = true }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const paths = findClusterPaths(dataDir, log);
  if (await stopLeftover(paths.clusterFolder)) log('stopped the Postgres left by an earlier run');
  const isNew = makeCluster(paths);
  const chosenPort = port ?? (await freePort());
  const server = spawnServer(paths, { ...serverSettings, ...(isDurable ? {} : hastySettings), port: chosenPort });
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
  endWithProcess(server, exited);
  const address = `postgresql://${superuser}:${readPassword(paths)}@127.0.0.1:${chosenPort}`;
  try {
    await waitUntilUp(`${address}/postgres`, server, paths);
    await makeDatabase(`${address}/postgres`);
  } catch (error) {
    await stopServer(server, exited);
    throw error;
  }
  return {
    url: `${address}/${databaseName}`,
    port: chosenPort,
    processId: server.pid ?? 0,
    isNew,
    exited,
    isRunning: () => isRunning(server),
    stop: (graceMs) => stopServer(server, exited, graceMs),
  };
}

function spawnServer(paths: ClusterPaths, settings: Readonly<Record<string, string | number>>): ChildProcess {
  const logFile = openLog(paths.logFile);
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(paths.binFolder, 'postgres'), ['-D', paths.clusterFolder, ...flags], {
    ...(paths.user ? { uid: paths.user.uid, gid: paths.user.gid } : {}),
    cwd: '/',
    env: serverEnv,
    // A process group of its own: Ctrl-C in the terminal must not end the database before the apps have drained.
    detached: true,
    stdio: ['ignore', logFile, logFile],
  });
  closeSync(logFile);
  return server;
}

/** A process that ends, also while it starts the server, must not leave it behind. */
function endWithProcess(server: ChildProcess, exited: Promise<void>): void {
  const end = () => void (isRunning(server) && server.kill('SIGQUIT'));
  process.once('exit', end);
  void exited.then(() => process.off('exit', end));
}

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

async function waitUntilUp(url: string, server: ChildProcess, paths: ClusterPaths): Promise<void> {
  const endsAt = performance.now() + startTimeoutMs;
  let lastError: unknown;
  server.once('error', (error) => (lastError = error));
  while (performance.now() < endsAt && isRunning(server)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      lastError = error;
      await client.end().catch(() => {});
      if (errnoOf(error) === '28P01') break;
      await sleep(30);
    }
  }
  throw new EmbeddedPostgresError(
    `Postgres does not start: ${lastLogLine(paths.logFile)} (see ${paths.logFile}).`,
    lastError,
  );
}

function lastLogLine(file: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-30);
  const fatal = lines.findLast((line) => /(FATAL|PANIC|ERROR):/.test(line)) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*(FATAL|PANIC|ERROR):\s*/, '') || 'no log lines';
}

async function makeDatabase(maintenanceUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

async function stopServer(server: ChildProcess, exited: Promise<void>, graceMs = 5_000): Promise<void> {
  const steps = [['SIGINT', graceMs] as const, ['SIGQUIT', 2_000] as const, ['SIGKILL', 1_000] as const];
  for (const [signal, waitMs] of steps) {
    if (!isRunning(server)) return;
    server.kill(signal);
    await Promise.race([exited, sleep(waitMs, undefined, { ref: false })]);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function explainFileError(error: unknown, dataDir: string): unknown {
  switch (errnoOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new EmbeddedPostgresError(
        `The folder ${dataDir} cannot be used by this user. Set DATA_DIR to another folder.`,
        error,
      );
    case 'ENOSPC':
      return new EmbeddedPostgresError('No space left on the disk for the database.', error);
    default:
      return error;
  }
}
