import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from '../install-packages.ts';
import { contractFolder } from './suite.ts';

export const installTools = (say: (line: string) => void): Promise<void> =>
  installPackages(contractFolder, {
    what: 'the foreign tools from tools/contract/package-lock.json (about 280 MB; under a minute)',
    say,
  });

export function findProgram(names: readonly string[]): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
