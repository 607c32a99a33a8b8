import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StartError } from '@eas/core';

export type PostgresProgram = { file: string; major: number };

/** Where packages of Debian, Red Hat, Homebrew and others put several versions side by side. */
const versionedFolders = [
  '/usr/lib/postgresql',
  '/usr',
  '/opt/homebrew/opt',
  '/usr/local/opt',
  '/Applications/Postgres.app/Contents/Versions',
];
const versioned = /^(?:\d+|pgsql-\d+|postgresql@\d+|libpq|latest)$/;

/**
 * The oldest program of that name, such as `pg_dump`, that is not older than the server: one of another major version can
 * refuse it. Throws a StartError when there is none.
 */
export function findProgram(name: string, serverMajor: number, searchPath: string): PostgresProgram {
  const found = foldersOf(searchPath)
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file))
    .flatMap(programOf)
    .sort((a, b) => a.major - b.major);
  const fitting = found.find(({ major }) => major >= serverMajor);
  if (fitting) return fitting;
  const seen =
    found.length === 0 ? 'none was found' : `found: ${[...new Set(found.map(({ major }) => major))].join(', ')}`;
  throw new StartError(
    `${name} of Postgres ${serverMajor} or newer is needed (${seen}). Install the client programs of Postgres ${serverMajor}, or see docs/operate/backup.md for other ways.`,
  );
}

function foldersOf(searchPath: string): string[] {
  const found = versionedFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => versioned.test(name))
        .map((name) => join(folder, name, 'bin')),
    );
  return [...new Set([...searchPath.split(delimiter).filter(Boolean), ...found])];
}

function programOf(file: string): PostgresProgram[] {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const major = Number(/(\d+)(?:\.\d+)*/.exec(stdout ?? '')?.[1]);
  return status === 0 && major > 0 ? [{ file, major }] : [];
}
