import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

export type OtherServer = Queries & {
  /** A copy that follows it by a replication slot of that name. */
  startStandby(slot: string): Promise<Queries & { stop(): Promise<void> }>;
  stop(): void;
};

/** A server of the same installation as `pg_dump`, such as Debian's: their versions match. */
export async function startMatchingServer(program: string, flags: readonly string[] = []): Promise<OtherServer> {
  const bin = dirname(program);
  const folder = mkdtempSync(join(tmpdir(), 'eas-backup-'));
  const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
  const options = { ...identity, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  const run = (name: string, args: string[]) =>
    execFileSync(join(bin, name), args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const start = async (data: string): Promise<{ port: number; server: ChildProcess }> => {
    const port = await findFreePort();
    const own = ['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=120', '-p', String(port)];
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...own, ...flags], { ...options, stdio: 'ignore' });
    await eventually(() =>
      queriesAt(port)
        .query('postgres', 'SELECT 1')
        .then(
          () => true,
          () => false,
        ),
    );
    return { port, server };
  };
  run('initdb', [`--pgdata=${folder}/data`, '--username=eas', '--auth=trust', '--encoding=UTF8']);
  const { port, server } = await start(`${folder}/data`);
  const standbys: ChildProcess[] = [];
  return {
    ...queriesAt(port),
    async startStandby(slot) {
      const data = join(folder, slot);
      const from = ['--host=127.0.0.1', `--port=${port}`, '--username=eas'];
      run('pg_basebackup', [
        ...from,
        `--pgdata=${data}`,
        '--checkpoint=fast',
        '--write-recovery-conf',
        '--create-slot',
        `--slot=${slot}`,
      ]);
      const standby = await start(data);
      standbys.push(standby.server);
      return {
        ...queriesAt(standby.port),
        async stop() {
          const closed = new Promise((resolve) => standby.server.once('close', resolve));
          standby.server.kill('SIGQUIT');
          await closed;
        },
      };
    },
    stop() {
      for (const one of [...standbys, server]) one.kill('SIGQUIT');
      spawnSync('sleep', ['0.5']);
      rmSync(folder, { recursive: true, force: true });
    },
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
