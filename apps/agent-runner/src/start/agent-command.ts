import type { Log } from '../log.ts';
import { findProgram } from './find-program.ts';
import { findAdapter, installAdapter } from './install-adapter.ts';
import type { Preset } from '../presets/presets.ts';
import type { Env } from '../key/env.ts';

/** How a preset is started on this machine. Throws a sentence that says what is missing. */
export async function agentCommand(preset: Preset, env: Env, log: Log): Promise<{ line: string; env: Env }> {
  const { program, args, cli } = preset;
  const cliPath = cli && findProgram(cli.program, env['PATH']);
  const path =
    findProgram(program, env['PATH']) ??
    (cli && findAdapter(preset, env)) ??
    (cliPath && (await installAdapter(preset, env, log)));
  if (!path) throw new Error(missing(preset));
  const own = cli && cliPath ? { [cli.variable]: cliPath } : {};
  return { line: `exec ${[path, ...args].map(quoted).join(' ')}`, env: { ...preset.env, ...own, ...env } };
}

function missing({ title, program, cli, npm }: Preset): string {
  const names = cli ? `neither ${cli.program} nor ${program} is` : `${program} is not`;
  return `${title} is not installed: ${names} on PATH. Install it, for example with: npm install --global ${npm.name}@${npm.version}`;
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
