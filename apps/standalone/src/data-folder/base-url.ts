import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlOf } from '../apps.ts';
import type { Config } from '../config.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'base-url');

/** Keeps what clients of this start call, for commands that print links later and know nothing of its settings. */
export const keepBaseUrl = (dataDir: string, baseUrl: string): void => writeFileSync(fileIn(dataDir), `${baseUrl}\n`);

/** What the command's own settings say, when they say anything; else what the last start on the data folder used. */
export function knownBaseUrl(config: Config): string {
  const isSet = ['BASE_URL', 'HOST', 'PORT'].some((name) => config.inheritedEnv[name]?.trim());
  if (isSet) return baseUrlOf(config);
  try {
    return readFileSync(fileIn(config.dataDir), 'utf8').trim();
  } catch {
    return baseUrlOf(config);
  }
}
