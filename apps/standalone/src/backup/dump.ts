import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { StartError } from '@eas/core';
import { findProgram } from './find-program.ts';
import { type Env, runProgram } from './run-program.ts';

export type DumpOptions = { url: string; serverMajor: number; file: string; env: Env };

/** Writes the database without the queues, which are made again from it, into a new file (0600). Gives its size in bytes. */
export async function dumpDatabase({ url, serverMajor, file, env }: DumpOptions): Promise<number> {
  if (existsSync(file)) throw new StartError(`${file} already exists.`);
  const { file: program } = findProgram('pg_dump', serverMajor, env['PATH'] ?? '');
  const unfinished = `${file}.unfinished`;
  const output = openNew(unfinished);
  try {
    await runProgram(program, ['--format=custom', '--exclude-schema=queue'], { url, env, output });
    renameSync(unfinished, file);
    return statSync(file).size;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(output);
  }
}

function openNew(file: string): number {
  try {
    rmSync(file, { force: true });
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}.`, error);
  }
}
