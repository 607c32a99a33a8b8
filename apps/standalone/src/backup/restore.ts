import { existsSync } from 'node:fs';
import { StartError } from '@eas/core';
import { countTables } from '@eas/db/admin';
import { findProgram } from './find-program.ts';
import { type Env, runProgram } from './run-program.ts';

/** `where`: the address as people may see it. `jobs`: connections that fill tables and make indexes at the same time. */
export type RestoreOptions = { url: string; where: string; serverMajor: number; file: string; env: Env; jobs: number };

/**
 * Fills an empty database with a backup. Everything belongs to the user of the connection. With one job it is all of it or
 * nothing; with several, one that failed leaves a part, which the error says.
 */
export async function restoreDatabase({ url, where, serverMajor, file, env, jobs }: RestoreOptions): Promise<void> {
  if (!existsSync(file)) throw new StartError(`${file} does not exist.`);
  const count = await countTables(url);
  if (count > 0)
    throw new StartError(
      `The database ${where} is not empty (${count} tables). Restore into a new one: CREATE DATABASE eas_restored.`,
    );
  const { file: program } = findProgram('pg_restore', serverMajor, env['PATH'] ?? '');
  const atOnce = jobs === 1 ? ['--single-transaction'] : ['--jobs', String(jobs)];
  const args = ['--no-owner', '--no-privileges', ...atOnce, '--exit-on-error', file];
  try {
    await runProgram(program, ['--dbname', new URL(url).pathname.slice(1), ...args], { url, env });
  } catch (error) {
    if (jobs === 1 || !(error instanceof StartError)) throw error;
    throw new StartError(`${error.message} A part of the backup may be in ${where}: drop and create it again.`, error);
  }
}
