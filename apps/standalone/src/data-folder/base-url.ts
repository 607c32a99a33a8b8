import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlOf } from '../apps.ts';
import type { Config } from '../config.ts';
import { writeToFolder } from './prepare-folder.ts';

const fileName = 'base-url';

/** Keeps what clients of this start call, for commands that print links later and know nothing of its settings. */
export const keepBaseUrl = (dataDir: string, baseUrl: string): void => writeToFolder(dataDir, fileName, `${baseUrl}\n`);

/** What the command's own settings say, when they say anything; else what the last start on the data folder used. */
export function knownBaseUrl(config: Config): string {
  const isSet = ['BASE_URL', 'HOST', 'PORT'].some((name) => config.inheritedEnv[name]?.trim());
  if (isSet) return baseUrlOf(config);
  try {
    return readFileSync(join(config.dataDir, fileName), 'utf8').trim();
  } catch {
    return baseUrlOf(config);
  }
}
