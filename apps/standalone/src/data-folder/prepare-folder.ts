import { accessSync, constants, mkdirSync } from 'node:fs';
import { StartError } from '@eas/core';

/** Makes the data folder; throws a StartError when this user cannot use it. */
export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new StartError(`No space left on the disk for ${dataDir}.`);
    throw new StartError(
      `The folder ${dataDir} cannot be used by this user (${code}). Set DATA_DIR to another folder.`,
    );
  }
}
