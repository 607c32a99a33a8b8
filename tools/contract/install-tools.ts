import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from '../install-packages.ts';
import { contractFolder } from './suite.ts';

/** Installs the foreign tools unless that has been done. */
export const installTools = (say: (line: string) => void): Promise<void> =>
  installPackages(contractFolder, {
    what: 'the foreign tools from tools/contract/package-lock.json (about 280 MB; under a minute)',
    say,
  });

/** A program of the machine that a suite needs, by its path. */
export function findProgram(names: readonly string[]): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
