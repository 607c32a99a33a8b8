import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canEnter, runAs } from './os-user.ts';
import { makeFolderFor, type ClusterPaths } from './cluster-paths.ts';
import { EmbeddedPostgresError } from './plain-failure.ts';

export const superuser = 'eas';
const majorVersion = '18';
const neededMegabytes = 300;

/** Creates the cluster unless it exists, completely or not at all. Returns whether it is new. */
export function makeCluster(paths: ClusterPaths): boolean {
  const versionFile = join(paths.clusterFolder, 'PG_VERSION');
  if (existsSync(versionFile)) {
    checkUsable(paths, readFileSync(versionFile, 'utf8').trim());
    return false;
  }
  checkDisk(dirname(paths.clusterFolder));
  const unfinished = `${paths.clusterFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makeFolderFor(paths.user, unfinished);
  const password = randomBytes(24).toString('base64url');
  initialise(paths, unfinished, password);
  writeFileSync(paths.passwordFile, password, { mode: 0o600 });
  renameSync(unfinished, paths.clusterFolder);
  return true;
}

export function readPassword({ passwordFile }: ClusterPaths): string {
  return readFileSync(passwordFile, 'utf8').trim();
}

function initialise(paths: ClusterPaths, folder: string, password: string): void {
  // The folder of the cluster must be empty for initdb, and the file readable by its user.
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (paths.user) chownSync(passwordFile, paths.user.uid, paths.user.gid);
  try {
    const made = runAs(paths.user, join(paths.binFolder, 'initdb'), [
      `--pgdata=${folder}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
    if (made.status !== 0) throw new EmbeddedPostgresError(explain(made.stderr ?? String(made.error)));
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function explain(output: string): string {
  if (/No space left on device/.test(output)) return 'No space left on the disk for the database.';
  const reason = output.match(/(?:error|FATAL|fatal):\s*(.+)/)?.[1] ?? output.trim().split('\n').at(-1) ?? 'unknown';
  return `The database could not be created: ${reason}.`;
}

function checkUsable(paths: ClusterPaths, version: string): void {
  if (version !== majorVersion) {
    throw new EmbeddedPostgresError(
      `${paths.clusterFolder} was made by Postgres ${version} and this is ${majorVersion}. Export the data with that version, or set DATA_DIR to another folder.`,
    );
  }
  if (!existsSync(paths.passwordFile)) {
    throw new EmbeddedPostgresError(
      `${paths.passwordFile} is missing, and ${paths.clusterFolder} cannot be used without that file. Restore it from a backup.`,
    );
  }
  if (!canEnter(paths.user, paths.clusterFolder)) {
    throw new EmbeddedPostgresError(
      `${paths.clusterFolder} belongs to another user. Start as that user, or set DATA_DIR to another folder.`,
    );
  }
}

function checkDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeMegabytes = Math.floor((bavail * bsize) / 1_048_576);
  if (freeMegabytes >= neededMegabytes) return;
  throw new EmbeddedPostgresError(
    `Not enough disk space for the database: ${freeMegabytes} MB free in ${folder}, ${neededMegabytes} MB required.`,
  );
}
