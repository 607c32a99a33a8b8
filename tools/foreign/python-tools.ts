// The generator of Python clients, in a virtual environment next to the npm packages, outside of any check.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFolder, runTool } from './run-tool.ts';

const folder = join(contractFolder, 'node_modules/.python');
const requirements = join(contractFolder, 'client/python/requirements.txt');

export const pythonTool = (name: string): string => join(folder, 'bin', name);

export type Installed = 'installed' | 'unreachable';

const noIndex =
  /NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|ProxyError|SSLError|Connection refused/i;

/** Installs what requirements.txt pins, unless that has been done. Throws when it fails for another reason than the network. */
export async function installPythonTools(python: string, say: (line: string) => void): Promise<Installed> {
  const stampFile = join(folder, '.eas-stamp');
  const { output: version } = await runTool(python, ['--version']);
  const wanted = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return 'installed';
  say('installing the generator of Python clients from PyPI (about 150 MB) ...');
  const made = await runTool(python, ['-m', 'venv', '--clear', folder]);
  if (made.code !== 0) throw new Error(`${python} -m venv failed (Debian: python3-venv): ${made.output.slice(-1_000)}`);
  const args = ['install', '--quiet', '--no-input', '--disable-pip-version-check', '--only-binary', ':all:'];
  const { code, output } = await runTool(pythonTool('pip'), [...args, '-r', requirements], { timeoutMs: 300_000 });
  if (code !== 0 && (code === 124 || noIndex.test(output))) return 'unreachable';
  if (code !== 0) throw new Error(`pip could not install ${requirements}:\n${output.slice(-2_000)}`);
  writeFileSync(stampFile, wanted);
  return 'installed';
}
