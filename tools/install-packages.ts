// Packages with a lock file of their own: who only runs the service never downloads them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const ownBin = resolve(import.meta.dirname, '..', 'node_modules', '.bin');

/** The foreign tools of `npm run test:contract`; in CI `npm test` uses one of them. */
export const contractTools = {
  folder: resolve(import.meta.dirname, 'contract'),
  what: 'the foreign tools from tools/contract/package-lock.json (about 280 MB; under a minute)',
};

/** Installs what a folder's lock file names, unless that has been done; throws when it cannot. `what`: for people. */
export async function installPackages(
  { folder, what }: { folder: string; what: string },
  say: (line: string) => void,
): Promise<void> {
  const stampFile = join(folder, 'node_modules', '.eas-stamp');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  say(`installing ${what} ...`);
  const startedAt = Date.now();
  const code = await runNpmCi(folder);
  if (code !== 0) throw new Error(`npm could not install ${what} (exit code ${code})`);
  writeFileSync(stampFile, wanted);
  say(`installed in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
}

function runNpmCi(folder: string): Promise<number> {
  // npm would rather run under the Node that it came with than under the one in node_modules/.bin.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== ownBin)
    .join(delimiter);
  const child = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: { ...process.env, PATH: path, DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false' },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? 1));
  });
}
