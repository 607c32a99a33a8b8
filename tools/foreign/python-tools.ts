// Programs from PyPI, in virtual environments next to the npm packages, outside of any check.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFolder, repoFolder, runTool } from './run-tool.ts';

/** What is installed together: generated clients are tested with each change, manifests before a release. */
const sets = {
  clients: {
    what: 'the generator of Python clients (about 150 MB)',
    requirements: join(contractFolder, 'client/python/requirements.txt'),
    folder: join(contractFolder, 'node_modules/.python'),
  },
  manifests: {
    what: 'what reads Kubernetes files (about 400 MB)',
    requirements: join(repoFolder, 'tools/kubernetes/requirements.txt'),
    folder: join(contractFolder, 'node_modules/.python-manifests'),
  },
} as const;

type PythonSet = keyof typeof sets;

/** The folder of the set's programs. */
export const pythonPrograms = (set: PythonSet): string => join(sets[set].folder, 'bin');

export const pythonTool = (set: PythonSet, name: string): string => join(pythonPrograms(set), name);

/** Files that come with a package of the set. Throws when it has none of that name. */
export function pythonPackage(set: PythonSet, path: string): string {
  const [found] = globSync(`lib/python*/site-packages/${path}`, { cwd: sets[set].folder });
  if (found === undefined) throw new Error(`${sets[set].requirements} installs no ${path}.`);
  return join(sets[set].folder, found);
}

export type Installed = 'installed' | 'unreachable';

const noIndex =
  /NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|ProxyError|SSLError|Connection refused/i;

/** Installs what the set's requirements.txt pins, unless that has been done. Throws when it fails for another reason than the network. */
export async function installPythonTools(
  set: PythonSet,
  python: string,
  say: (line: string) => void,
): Promise<Installed> {
  const { what, requirements, folder } = sets[set];
  const stampFile = join(folder, '.eas-stamp');
  const { output: version } = await runTool(python, ['--version']);
  const wanted = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return 'installed';
  say(`installing ${what} from PyPI ...`);
  const made = await runTool(python, ['-m', 'venv', '--clear', folder]);
  if (made.code !== 0) throw new Error(`${python} -m venv failed (Debian: python3-venv): ${made.output.slice(-1_000)}`);
  const args = ['install', '--quiet', '--no-input', '--disable-pip-version-check', '--only-binary', ':all:'];
  const { code, output } = await runTool(pythonTool(set, 'pip'), [...args, '-r', requirements], { timeoutMs: 900_000 });
  if (code !== 0 && (code === 124 || noIndex.test(output))) return 'unreachable';
  if (code !== 0) throw new Error(`pip could not install ${requirements}:\n${output.slice(-2_000)}`);
  writeFileSync(stampFile, wanted);
  return 'installed';
}
