import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file of the first of these programs in PATH. */
export const findOnPath = (...names: string[]): string | undefined => findIn(process.env['PATH'] ?? '', ...names);

/** The same with another PATH. */
export function findIn(path: string, ...names: string[]): string | undefined {
  const folders = path.split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The headless shell of Debian's package needs half of the processor time of the whole browser. */
export const findChromium = (): string | undefined =>
  findOnPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

export const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

/**
 * For the title of tests that are skipped because this machine lacks a program; what it lacks is printed on stderr.
 * Empty if they run: if the program exists, and in CI, where they fail without it.
 */
export function leftOut(what: string, isThere: boolean): string {
  if (isThere) return '';
  const then = isCi ? 'THE TESTS THAT NEED IT FAIL' : 'THE TESTS THAT NEED IT ARE NOT RUN';
  process.stderr.write(`${what} is not installed: ${then}\n`);
  return isCi ? '' : ` (NOT RUN: ${what} is not installed)`;
}
