import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@eas/testing';
import pg from 'pg';
import { findFreePort } from '@eas/testing/redis-server';

export type OtherServer = {
  url(database: string): string;
  query(database: string, sql: string): Promise<void>;
  stop(): void;
};

/** A server of the same installation as `pg_dump`, such as Debian's: their versions match. */
export async function startMatchingServer(program: string): Promise<OtherServer> {
  const bin = dirname(program);
  const folder = mkdtempSync(join(tmpdir(), 'eas-backup-'));
  const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
  const options = { ...identity, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  execFileSync(join(bin, 'initdb'), [`--pgdata=${folder}/data`, '--username=eas', '--auth=trust', '--encoding=UTF8'], {
    ...options,
    stdio: 'ignore',
  });
  const port = await findFreePort();
  const flags = ['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=120', '-p', String(port)];
  const server = spawn(join(bin, 'postgres'), ['-D', `${folder}/data`, ...flags], { ...options, stdio: 'ignore' });
  const url = (database: string) => `postgresql://eas:unused@127.0.0.1:${port}/${database}`;
  const query = async (database: string, sql: string) => {
    const client = new pg.Client({ connectionString: url(database) });
    client.on('error', () => {});
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await eventually(() =>
    query('postgres', 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const stop = () => {
    server.kill('SIGQUIT');
    spawnSync('sleep', ['0.5']);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, query, stop };
}

function postgresUser(): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
