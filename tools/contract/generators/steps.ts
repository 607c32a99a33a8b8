import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractFolder, type Ended, runTool } from '../../foreign/run-tool.ts';

/** One command of a generator's row; the first that fails ends the row. */
export type Step = {
  what: 'generates' | 'compiles' | 'plays';
  run: readonly string[];
  /** Below the row's folder. */
  in?: string;
  env?: NodeJS.ProcessEnv;
};

const plays = join(contractFolder, 'client/plays');

/** Copies a program of tools/contract/client/plays to where it finds the generated client. */
export function copyPlay(play: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(plays, play), to);
}

export const copySettings = (file: string, to: string): void => cpSync(join(import.meta.dirname, 'settings', file), to);

export function runStep(
  { run: [program = '', ...args], in: folder = '.', env = {} }: Step,
  cwd: string,
): Promise<Ended> {
  return runTool(program, args, { cwd: join(cwd, folder), env, timeoutMs: 900_000 });
}
