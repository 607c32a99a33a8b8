import { existsSync } from 'node:fs';
import { StartError } from '@eas/core';
import { countTables } from '@eas/db/admin';
import { findProgram } from './find-program.ts';
import { type Env, runProgram } from './run-program.ts';

/** `where`: the address as people may see it. */
export type RestoreOptions = { url: string; where: string; serverMajor: number; file: string; env: Env };

/** Fills an empty database with a backup, all of it or nothing. Everything belongs to the user of the connection. */
export async function restoreDatabase({ url, where, serverMajor, file, env }: RestoreOptions): Promise<void> {
  if (!existsSync(file)) throw new StartError(`${file} does not exist.`);
  const count = await countTables(url);
  if (count > 0)
    throw new StartError(
      `The database ${where} is not empty (${count} tables). Restore into a new one: CREATE DATABASE eas_restored.`,
    );
  const { file: program } = findProgram('pg_restore', serverMajor, env['PATH'] ?? '');
  const args = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', file];
  await runProgram(program, ['--dbname', new URL(url).pathname.slice(1), ...args], { url, env });
}
