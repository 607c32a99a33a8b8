// The foreign tools have a lock file of their own: who only runs the service never downloads them.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createHash } from 'node:crypto';
import { contractFolder, repoFolder, runTool } from './suite.ts';

const lockFile = join(contractFolder, 'package-lock.json');
const stampFile = join(contractFolder, 'node_modules', '.eas-stamp');

/** Installs from the lock file unless that has been done; throws with what npm said. */
export async function installTools(say: (line: string) => void): Promise<void> {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  say('installing the foreign tools from tools/contract/package-lock.json (about 280 MB; under a minute) ...');
  const startedAt = Date.now();
  // npm would rather run under the Node that it came with than under the one in node_modules/.bin.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== join(repoFolder, 'node_modules', '.bin'))
    .join(delimiter);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runTool('npm', args, {
    cwd: contractFolder,
    env: { PATH: path },
    timeoutMs: 600_000,
    shows: true,
  });
  if (code !== 0) throw new Error(`The foreign tools could not be installed: ${output.trim().split('\n').at(-1)}`);
  writeFileSync(stampFile, wanted);
  say(`installed in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
}

/** A program of the machine that a suite needs, by its path. */
export function findProgram(names: readonly string[]): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
