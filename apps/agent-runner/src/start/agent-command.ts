import type { Log } from '../log.ts';
import { findProgram } from './find-program.ts';
import { findAdapter, installAdapter } from './install-adapter.ts';
import type { Preset } from '../presets/presets.ts';
import type { Env } from '../key/env.ts';

/** Where the programs of a preset are on this machine; `path` is what speaks the protocol. */
export function findPrograms(preset: Preset, env: Env): { path?: string | undefined; cliPath?: string | undefined } {
  const { program, cli } = preset;
  const cliPath = cli && findProgram(cli.program, env['PATH']);
  return { path: findProgram(program, env['PATH']) ?? (cli && findAdapter(preset, env)), cliPath };
}

/** How a preset is started on this machine. Throws a sentence that says what is missing. */
export async function agentCommand(preset: Preset, env: Env, log: Log): Promise<{ line: string; env: Env }> {
  const { args, cli } = preset;
  const { path: found, cliPath } = findPrograms(preset, env);
  const path = found ?? (cliPath && (await installAdapter(preset, env, log)));
  if (!path) throw new Error(missingProgram(preset));
  const own = cli && cliPath ? { [cli.variable]: cliPath } : {};
  return { line: `exec ${[path, ...args].map(quoted).join(' ')}`, env: { ...preset.env, ...own, ...env } };
}

export function missingProgram({ title, program, cli, npm }: Preset): string {
  const names = cli ? `neither ${cli.program} nor ${program} is` : `${program} is not`;
  return `${title} is not installed: ${names} on PATH. Install it, for example with: npm install --global ${npm.name}@${npm.version}`;
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
