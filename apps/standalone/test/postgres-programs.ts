import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { eventually } from '@eas/testing';
import pg from 'pg';
import { findFreePort } from '@eas/testing/redis-server';
import { findProgram } from '../src/backup/find-program.ts';

const oldestMajor = 15;

/** pg_dump with a server of the same version; undefined where the machine has none. */
export function findMatchingServer(): string | undefined {
  try {
    const { file, major } = findProgram('pg_dump', oldestMajor, process.env['PATH'] ?? '');
    // Debian's /usr/bin/pg_dump leads to the programs of one version.
    const ofVersion = dirname(file) === '/usr/bin' ? [`/usr/lib/postgresql/${major}/bin/pg_dump`] : [];
    return [file, ...ofVersion].find((one) => existsSync(join(dirname(one), 'initdb')));
  } catch {
    return undefined;
  }
}

type Queries = {
  url(database: string): string;
  query(database: string, sql: string): Promise<void>;
  rows(database: string, sql: string): Promise<Record<string, unknown>[]>;
};

export type RunningServer = Queries & { port: number; process: ChildProcess };

/** A folder of the user that servers run as, with the programs of one version. */
export type ServerHome = {
  folder: string;
  /** Of the same installation; a path is another program. */
  run(program: string, args: readonly string[]): void;
  /** Makes an empty server in a folder of it. */
  init(data: string): void;
  start(data: string, flags?: readonly string[]): Promise<RunningServer>;
  /** Stops what was started, and removes the folder. */
  remove(): void;
};

/** With the programs of the same installation as `pg_dump`, such as Debian's: their versions match. */
export function openServerHome(program: string): ServerHome {
  const bin = dirname(program);
  const folder = mkdtempSync(join(tmpdir(), 'eas-backup-'));
  const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
  const options = { ...identity, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  const started: ChildProcess[] = [];
  const run: ServerHome['run'] = (name, args) =>
    void execFileSync(join(isAbsolute(name) ? '' : bin, name), args, {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return {
    folder,
    run,
    init: (data) =>
      run('initdb', [`--pgdata=${join(folder, data)}`, '--username=eas', '--auth=trust', '--encoding=UTF8']),
    async start(data, flags = []) {
      const port = await findFreePort();
      const own = ['unix_socket_directories=', 'fsync=off', 'max_connections=120'].flatMap((one) => ['-c', one]);
      const args = ['-D', join(folder, data), ...own, '-p', String(port), ...flags];
      const server = spawn(join(bin, 'postgres'), args, { ...options, stdio: 'ignore' });
      started.push(server);
      const queries = queriesAt(port);
      const accepts = () =>
        queries.query('postgres', 'SELECT 1').then(
          () => true,
          () => false,
        );
      await eventually(accepts);
      return { ...queries, port, process: server };
    },
    remove() {
      for (const one of started) one.kill('SIGQUIT');
      spawnSync('sleep', ['0.5']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As a crash of its machine does. */
export async function killServer({ process: server }: RunningServer): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGQUIT');
  await closed;
}

export type OtherServer = Queries & {
  /** A copy that follows it by a replication slot of that name. */
  startStandby(slot: string): Promise<Queries & { stop(): Promise<void> }>;
  stop(): void;
};

/** A server of its own. */
export async function startMatchingServer(program: string, flags: readonly string[] = []): Promise<OtherServer> {
  const home = openServerHome(program);
  home.init('data');
  const { port, ...queries } = await home.start('data', flags);
  return {
    ...queries,
    async startStandby(slot) {
      const from = ['--host=127.0.0.1', `--port=${port}`, '--username=eas', `--pgdata=${join(home.folder, slot)}`];
      const how = ['--checkpoint=fast', '--write-recovery-conf', '--create-slot', `--slot=${slot}`];
      home.run('pg_basebackup', [...from, ...how]);
      const standby = await home.start(slot, flags);
      return { ...standby, stop: () => killServer(standby) };
    },
    stop: () => home.remove(),
  };
}

function queriesAt(port: number): Queries {
  const url: Queries['url'] = (database) => `postgresql://eas:unused@127.0.0.1:${port}/${database}`;
  const rows: Queries['rows'] = async (database, sql) => {
    const client = new pg.Client({ connectionString: url(database) });
    client.on('error', () => {});
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql).finally(() => client.end())).rows;
  };
  return { url, rows, query: async (database, sql) => void (await rows(database, sql)) };
}

function postgresUser(): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
