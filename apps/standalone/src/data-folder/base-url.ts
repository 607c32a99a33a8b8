import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSet } from '@eas/runtime';
import { baseUrlOf } from '../apps.ts';
import type { Config } from '../config.ts';
import { writeToFolder } from './prepare-folder.ts';

const fileName = 'base-url';

/** Stores the public URL of this start, for commands that print links later without its settings. */
export const keepBaseUrl = (dataDir: string, baseUrl: string): void => writeToFolder(dataDir, fileName, `${baseUrl}\n`);

/** The URL of the command's own settings, else of the last start on the data folder. */
export function knownBaseUrl(config: Config): string {
  if (['BASE_URL', 'HOST', 'PORT'].some((name) => isSet(config.inheritedEnv, name))) return baseUrlOf(config);
  try {
    return readFileSync(join(config.dataDir, fileName), 'utf8').trim();
  } catch {
    return baseUrlOf(config);
  }
}
