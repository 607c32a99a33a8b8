import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { findProgram } from './find-program.ts';
import type { Preset } from '../presets/presets.ts';
import type { Env } from '../key/env.ts';

const installSeconds = 300;

/** Where adapters are kept: one folder for each version. */
const folderOf = ({ npm: { name, version } }: Preset, env: Env): string =>
  join(
    env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'),
    'agent-runner',
    `${name.replaceAll('/', '+')}@${version}`,
  );

const binOf = (folder: string) => join(folder, 'node_modules', '.bin');

export const findAdapter = (preset: Preset, env: Env): string | undefined =>
  findProgram(preset.program, binOf(folderOf(preset, env)));

/** Installs the adapter of a preset for the user, without the copy of the vendor's program. Throws a sentence. */
export async function installAdapter(preset: Preset, env: Env, log: Log): Promise<string> {
  const { name, version, integrity } = preset.npm;
  const folder = folderOf(preset, env);
  const partFolder = `${folder}.${process.pid}.part`;
  log(`installing ${name}@${version} to ${folder}`);
  await rm(partFolder, { recursive: true, force: true });
  await mkdir(partFolder, { recursive: true });
  try {
    await runNpm(['install', '--prefix', partFolder, ...quiet, `${name}@${version}`], env);
    const lock = await readFile(join(partFolder, 'node_modules', '.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
    if (packages[`node_modules/${name}`]?.integrity !== integrity)
      throw new Error(`${name}@${version} is not what it was when it was tested: its integrity is another one.`);
    await rm(folder, { recursive: true, force: true });
    await rename(partFolder, folder);
  } finally {
    await rm(partFolder, { recursive: true, force: true });
  }
  return join(binOf(folder), preset.program);
}

/** Nothing of a package runs before it is known to be the one that was tested. */
const quiet = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];

async function runNpm(args: readonly string[], env: Env): Promise<void> {
  const child = spawn('npm', args, { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: installSeconds * 1_000 });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-500)));
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0)
    throw new Error(`npm could not install it: ${errors.trim().replaceAll('\n', ' ') || `exit code ${code}`}`);
}
