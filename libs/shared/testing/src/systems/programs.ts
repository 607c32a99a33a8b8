import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file of the first of these programs that PATH leads to. */
export function findOnPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
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
