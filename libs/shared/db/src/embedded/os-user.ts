import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedPostgresError } from './plain-failure.ts';

/** The operating system's user that Postgres runs as: undefined means the current one. */
export type OsUser = { name: string; uid: number; gid: number } | undefined;

/** Postgres refuses to run as root: root uses another user, created if there is none. */
export function chooseOsUser(clusterFolder: string | undefined): OsUser {
  if (process.getuid?.() !== 0) return undefined;
  const owner = clusterFolder === undefined ? undefined : ownerOf(clusterFolder);
  if (owner && owner.uid !== 0) return owner;
  const found = lookUp('postgres') ?? makePostgresUser() ?? lookUp('nobody');
  if (found) return found;
  throw new EmbeddedPostgresError(
    'Postgres does not run as root, and there is no user postgres to run as. Create one, or start as an ordinary user.',
  );
}

/** Whether the user can enter the folder; a closed folder above it is enough to keep them out. */
export function canEnter(user: OsUser, folder: string): boolean {
  return runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder]).status === 0;
}

/** Runs a short program as the user, in the root folder because the user may not be able to enter the current one. */
export function runAs(user: OsUser, file: string, args: string[]) {
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  return spawnSync(file, args, { ...identity, cwd: '/', encoding: 'utf8', env: serverEnv });
}

/**
 * The whole environment of Postgres' programs: client settings (PGHOST, …) and locales of this process must not reach
 * them.
 */
export const serverEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function ownerOf(folder: string): OsUser {
  const { uid, gid } = statSync(folder);
  return { name: String(uid), uid, gid };
}

function lookUp(name: string): OsUser {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function makePostgresUser(): OsUser {
  const made = spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/bin/false',
    'postgres',
  ]);
  return made.status === 0 ? lookUp('postgres') : undefined;
}
