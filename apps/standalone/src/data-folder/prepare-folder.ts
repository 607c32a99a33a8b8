import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@eas/core';

/** Makes the data folder; throws a StartError when this user cannot use it. */
export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(dataDir, error);
  }
}

/** Writes a file into the data folder; throws a StartError when that cannot be done, and leaves no half of it. */
export function writeToFolder(dataDir: string, name: string, text: string, options: { isNew?: boolean } = {}): void {
  const file = join(dataDir, name);
  try {
    writeFileSync(file, text, { mode: 0o600, flag: options.isNew ? 'wx' : 'w' });
  } catch (error) {
    // It is another's file then.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    rmSync(file, { force: true });
    throw unusableFolder(dataDir, error);
  }
}

function unusableFolder(dataDir: string, error: unknown): StartError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(`No space left on the disk for ${dataDir}.`, error);
  return new StartError(
    `The folder ${dataDir} cannot be used by this user (${code}). Set DATA_DIR to another folder.`,
    error,
  );
}
